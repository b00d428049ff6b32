import type { Workspace } from "../../support/make.ts";

type Json = Record<string, any>;

const byPos = (one: Json, other: Json) => one["pos"] - other["pos"];
const isoOrNull = (moment: string | null | undefined) =>
  moment === null || moment === undefined ? null : new Date(moment).toISOString();
const named = (label: Json) => {
  const [, colour = "", shade] = /^([a-z]+)(?:_(light|dark))?$/.exec(label["color"]) ?? [];
  const upper = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
  return label["name"] || (shade === undefined ? upper(colour) : `${upper(shade)} ${colour}`);
};

/** The lists and cards that an export must become here, in order. */
export function expected(source: Json) {
  const labels = new Map<string, string>(
    source["labels"].map((one: Json) => [one["id"], named(one)]),
  );
  const of = (field: string, idOf: (one: Json) => string) => {
    const map = new Map<string, Json[]>();
    for (const one of source[field]) map.set(idOf(one), [...(map.get(idOf(one)) ?? []), one]);
    return (id: string) => map.get(id) ?? [];
  };
  const checklistsOf = of("checklists", (one) => one["idCard"]);
  const commentsOf = of("actions", (one) => one["data"].card.id);
  const cardsOf = of("cards", (one) => one["idList"]);
  return source["lists"].toSorted(byPos).map((list: Json) => ({
    name: list["name"],
    isArchived: list["closed"],
    cards: cardsOf(list["id"])
      .toSorted(byPos)
      .map((card) => ({
        title: card["name"],
        description: card["desc"],
        updatedAt: card["dateLastActivity"],
        dueDate: isoOrNull(card["due"]),
        startDate: isoOrNull(card["start"]),
        isComplete: card["dueComplete"] === true,
        isArchived: card["closed"],
        labels: card["idLabels"].map((id: string) => labels.get(id)).toSorted(),
        checklists: checklistsOf(card["id"])
          .toSorted(byPos)
          .map((checklist) => ({
            name: checklist["name"],
            items: checklist["checkItems"].toSorted(byPos).map((item: Json) => ({
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
        attachments: card["attachments"].map(({ name, url, date }: Json) => ({
          filename: name,
          url,
          createdAt: date,
        })),
      })),
  }));
}

/** The lists and cards of a board, read over REST; every `each`th card with its relations. */
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
      const labels = summary.labels.map((one: Json) => one["name"]).toSorted();
      const said = { title, dueDate, startDate, isComplete, isArchived, labels };
      cards.push(nth++ % each === 0 ? { ...said, ...(await whole(rest, summary)) } : said);
    }
    lists.push({ name: list.name, isArchived: list.isArchived, cards });
  }
  return lists;
}

async function whole(rest: Workspace["admin"]["rest"], summary: Json) {
  const { body: card } = await rest.get(`/cards/${summary["publicId"]}`);
  const comments: Json[] = [];
  for (let cursor = summary["commentCount"] === 0 ? null : ""; cursor !== null;) {
    const page = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await rest.get(`/cards/${card.publicId}/comments?limit=100${page}`);
    comments.push(...body.items);
    cursor = body.nextCursor;
  }
  return {
    description: card.description,
    updatedAt: card.updatedAt,
    checklists: card.checklists.map(({ name, items }: Json) => ({
      name,
      items: items.map(({ title, completed, dueDate }: Json) => ({ title, completed, dueDate })),
    })),
    comments: comments.map(({ comment, authorName, createdAt }) => ({
      comment,
      authorName,
      createdAt,
    })),
    attachments: card.attachments.map(({ filename, url, createdAt }: Json) => ({
      filename,
      url,
      createdAt,
    })),
  };
}

/** Reduces the expected lists to what `actual` returns. */
export function likeThat(lists: Json[], each: number): Json[] {
  let nth = 0;
  return lists.map((list) => ({
    ...list,
    cards: list["cards"].map((card: Json) => {
      const { title, dueDate, startDate, isComplete, isArchived, labels } = card;
      const said = { title, dueDate, startDate, isComplete, isArchived, labels };
      return nth++ % each === 0 ? card : said;
    }),
  }));
}

/** The number of resources of each kind in an export. */
export const countsIn = (source: Json) => ({
  board: 1,
  list: source["lists"].length,
  label: source["labels"].length,
  card: source["cards"].length,
  checklist: source["checklists"].length,
  checklistItem: source["checklists"].flatMap((one: Json) => one["checkItems"]).length,
  comment: source["actions"].length,
  attachment: source["cards"].flatMap((one: Json) => one["attachments"]).length,
  cardLabel: source["cards"].flatMap((one: Json) => one["idLabels"]).length,
});
