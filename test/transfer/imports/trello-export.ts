import {
  attachment,
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  label,
  list,
  member,
  type Format,
} from "./trello-objects.ts";

type Json = Record<string, any>;

/** Trello's thirty colours. */
export const colours = [
  "green",
  "yellow",
  "orange",
  "red",
  "purple",
  "blue",
  "sky",
  "lime",
  "pink",
  "black",
].flatMap((colour) => [colour, `${colour}_light`, `${colour}_dark`]);

/**
 * The size of an export; `text` is the length of its descriptions, and `changes` is how many changes
 * of descriptions its history has beside the comments.
 */
export type Size = {
  cards: number;
  lists?: number;
  comments?: number;
  format?: Format;
  text?: number;
  changes?: number;
};

/** Numbers that look random and are always the same. */
function thrower(seed = 1) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** An export with some of everything that is imported, unordered as Trello writes it. */
export function makeExport({
  cards: count,
  lists = 8,
  comments = count,
  format = "new",
  text = 0,
  changes = 0,
}: Size): Json {
  const below = thrower();
  const lots = Array.from({ length: lists }, (_, nth) =>
    list(nth + 1, { pos: 1_000 * (lists - nth), closed: nth % 5 === 4 }),
  );
  const labels = colours.map((color, nth) =>
    label(nth + 1, { color, name: nth % 3 === 0 ? "" : `Label ${nth}` }),
  );
  const members = [member(1), member(2), member(3)];
  const cards = Array.from({ length: count }, (_, nth) => {
    const due =
      below(4) === 0 ? { due: "2026-05-01T10:00:00.000Z", dueComplete: below(2) === 0 } : {};
    const dates =
      format === "new"
        ? { ...due, start: below(6) === 0 ? "2026-04-01T00:00:00.000Z" : null }
        : due;
    const cardLabels = [...new Set([below(30), below(30)])]
      .slice(0, below(3))
      .map((at) => labels[at]);
    return card(
      nth + 1,
      {
        ...dates,
        idList: idOf(kinds.list, 1 + below(lists)),
        pos: below(1_000_000),
        closed: below(10) === 0,
        idLabels: cardLabels.map((one) => one?.["id"]),
        labels: cardLabels,
        ...(text > 0 ? { desc: `Card ${nth + 1} ${"lorem ipsum ".repeat(text / 12)}` } : {}),
        attachments: below(10) === 0 ? [attachment(nth + 1)] : [],
      },
      format,
    );
  });
  const checklists = cards
    .filter(() => below(5) === 0)
    .map(({ id }, nth) =>
      checklist(nth + 1, id, [
        item(2 * nth + 1, { pos: 2, state: "complete" }),
        item(2 * nth + 2, { pos: 1, due: "2026-05-01T10:00:00.000Z" }),
      ]),
    );
  const actions = Array.from({ length: comments }, (_, nth) => {
    const memberCreator = members[below(3)] ?? member(1);
    const said = { idMemberCreator: memberCreator["id"], memberCreator };
    return comment(comments - nth, idOf(kinds.card, 1 + below(count)), said);
  });
  const before = "lorem ipsum ".repeat(text / 12);
  const history = Array.from({ length: changes }, (_, nth) => {
    const about = comment(comments + nth + 1, idOf(kinds.card, 1 + (nth % count)));
    const data = { ...about["data"], old: { desc: before } };
    return { ...about, type: "updateCard", data };
  });
  actions.unshift(...history);
  return board({ lists: lots, labels, members, cards, checklists, actions }, format);
}
