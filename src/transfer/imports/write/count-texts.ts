import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./model.ts";
import type { Cards } from "./written-card.ts";

/** The bytes of the texts that cards get: those of new cards, and of new parts of all cards. */
export const textsOf = (cards: Cards, known: LookUp): { bytes: number }[] =>
  [...cards].flatMap(([card, { isNew }]) => [
    ...(isNew ? [{ bytes: bytesOf(card.title, card.description) }] : []),
    ...partTexts(card).flatMap(({ kind, sourceId, texts }) =>
      known(kind, sourceId) === undefined ? [{ bytes: bytesOf(...texts) }] : [],
    ),
  ]);

const partTexts = ({ checklists, comments }: SourceCard) => [
  ...checklists.flatMap(({ sourceId, name, items }) => [
    { kind: "checklist" as const, sourceId, texts: [name] },
    ...items.map((item) => ({
      kind: "checklistItem" as const,
      sourceId: item.sourceId,
      texts: [item.title],
    })),
  ]),
  ...comments.map(({ sourceId, comment, authorName }) => ({
    kind: "comment" as const,
    sourceId,
    texts: [comment, authorName],
  })),
];

const bytesOf = (...texts: (string | null | undefined)[]) =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);
