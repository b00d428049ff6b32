import type { Workspace } from "../../support/make.ts";

type Thing = Record<string, any>;

const byPlace = (one: Thing, other: Thing) => one["pos"] - other["pos"];
const isoOrNull = (moment: string | null | undefined) =>
  moment === null || moment === undefined ? null : new Date(moment).toISOString();
const named = (label: Thing) => {
  const [, colour = "", shade] = /^([a-z]+)(?:_(light|dark))?$/.exec(label["color"]) ?? [];
  const upper = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
  return label["name"] || (shade === undefined ? upper(colour) : `${upper(shade)} ${colour}`);
};

/** What an export holds, as it should be told here: lists and cards in their order. */
export function expected(source: Thing) {
  const labels = new Map<string, string>(
    source["labels"].map((one: Thing) => [one["id"], named(one)]),
  );
  const of = (field: string, idOf: (one: Thing) => string) => {
    const map = new Map<string, Thing[]>();
    for (const one of source[field]) map.set(idOf(one), [...(map.get(idOf(one)) ?? []), one]);
    return (id: string) => map.get(id) ?? [];
  };
  const checklistsOf = of("checklists", (one) => one["idCard"]);
  const commentsOf = of("actions", (one) => one["data"].card.id);
  const cardsOf = of("cards", (one) => one["idList"]);
  return source["lists"].toSorted(byPlace).map((list: Thing) => ({
    name: list["name"],
    isArchived: list["closed"],
    cards: cardsOf(list["id"])
      .toSorted(byPlace)
      .map((card) => ({
        title: card["name"],
        description: card["desc"],
        dueDate: isoOrNull(card["due"]),
        startDate: isoOrNull(card["start"]),
        isComplete: card["dueComplete"] === true,
        isArchived: card["closed"],
        labels: card["idLabels"].map((id: string) => labels.get(id)).toSorted(),
        checklists: checklistsOf(card["id"])
          .toSorted(byPlace)
          .map((checklist) => ({
            name: checklist["name"],
            items: checklist["checkItems"].toSorted(byPlace).map((item: Thing) => ({
              title: item["name"],
              completed: item["state"] === "complete",
              dueDate: isoOrNull(item["due"]),
            })),
          })),
        comments: commentsOf(card["id"])
          .toSorted((one, other) => (one["date"] < other["date"] ? -1 : 1))
          .map((comment) => ({
            comment: comment["data"].text,
            authorName: `Member ${Number.parseInt(comment["idMemberCreator"].slice(12), 16)} of Trello`,
            createdAt: comment["date"],
          })),
        attachments: card["attachments"].map(({ name, url, date }: Thing) => ({
          filename: name,
          url,
          createdAt: date,
        })),
      })),
  }));
}

/** The same of a board here, by asking for everything over REST; of every `each`th card all that hangs on it. */
export async function actual(home: Workspace, publicId: string, each = 1) {
  const { rest } = home.admin;
  const { body: head } = await rest.get(`/boards/${publicId}?archived=true&cardLimit=1`);
  let nth = 0;
  const lists = [];
  for (const list of head.lists) {
    const path = `/boards/${publicId}?archived=true&lists=${list.publicId}`;
    const { body } = await rest.get(path);
    const cards = [];
    for (const summary of body.lists[0].cards) {
      const { title, dueDate, startDate, isComplete, isArchived } = summary;
      const labels = summary.labels.map((one: Thing) => one["name"]).toSorted();
      const said = { title, dueDate, startDate, isComplete, isArchived, labels };
      cards.push(nth++ % each === 0 ? { ...said, ...(await whole(rest, summary)) } : said);
    }
    lists.push({ name: list.name, isArchived: list.isArchived, cards });
  }
  return lists;
}

async function whole(rest: Workspace["admin"]["rest"], summary: Thing) {
  const { body: card } = await rest.get(`/cards/${summary["publicId"]}`);
  const comments: Thing[] = [];
  for (let cursor = summary["commentCount"] === 0 ? null : ""; cursor !== null;) {
    const page = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await rest.get(`/cards/${card.publicId}/comments?limit=100${page}`);
    comments.push(...body.items);
    cursor = body.nextCursor;
  }
  return {
    description: card.description,
    checklists: card.checklists.map(({ name, items }: Thing) => ({
      name,
      items: items.map(({ title, completed, dueDate }: Thing) => ({ title, completed, dueDate })),
    })),
    comments: comments.map(({ comment, authorName, createdAt }) => ({
      comment,
      authorName,
      createdAt,
    })),
    attachments: card.attachments.map(({ filename, url, createdAt }: Thing) => ({
      filename,
      url,
      createdAt,
    })),
  };
}

/** Cuts what is expected down to what `actual` has of it. */
export function likeThat(lists: Thing[], each: number): Thing[] {
  let nth = 0;
  return lists.map((list) => ({
    ...list,
    cards: list["cards"].map((card: Thing) => {
      const { title, dueDate, startDate, isComplete, isArchived, labels } = card;
      const said = { title, dueDate, startDate, isComplete, isArchived, labels };
      return nth++ % each === 0 ? card : said;
    }),
  }));
}

/** Of each kind, how many the source of an export has. */
export const countsIn = (source: Thing) => ({
  board: 1,
  list: source["lists"].length,
  label: source["labels"].length,
  card: source["cards"].length,
  checklist: source["checklists"].length,
  checklistItem: source["checklists"].flatMap((one: Thing) => one["checkItems"]).length,
  comment: source["actions"].length,
  attachment: source["cards"].flatMap((one: Thing) => one["attachments"]).length,
  cardLabel: source["cards"].flatMap((one: Thing) => one["idLabels"]).length,
});
