import { cardName } from "../../../domain/views/cards.ts";
import type { Card as CardRow } from "../../../platform/db/rows.ts";
import type { Known, SourceThing } from "../bulk/imported.ts";
import type { SourceCard } from "../model.ts";
import type { Making } from "./step.ts";
import { sql } from "../../../platform/db/sql.ts";

type Ref = { publicId: string; name: string };

/** A card that is here, for things to be hung on. */
export type Onto = {
  id: bigint;
  isNew: boolean;
  /** As events name it. */
  around: { card: ReturnType<typeof cardName>; list: Ref; board: Ref };
  /** What is to be announced of it, in this order, once everything is there. */
  tell: (() => void)[];
};

/** The cards of a step that are here. */
export type Cards = Map<SourceCard, Onto>;

/** How to look up what a thing of the source has become. */
export type LookUp = (thing: SourceThing) => Known | undefined;

/** Everything that hangs on a card and is remembered. */
export const partsOf = (card: SourceCard): SourceThing[] => [
  ...card.checklists.flatMap(({ sourceId, items }): SourceThing[] => [
    { kind: "checklist", sourceId },
    ...items.map((item) => ({ kind: "checklistItem" as const, sourceId: item.sourceId })),
  ]),
  ...card.comments.map(({ sourceId }) => ({ kind: "comment" as const, sourceId })),
  ...card.attachments.map(({ sourceId }) => ({ kind: "attachment" as const, sourceId })),
];

/** Leaves a card out, and with it all that hangs on it. */
export function leaveOut({ made }: Pick<Making, "made">, card: SourceCard, reason: string): void {
  const { sourceId, title: name, people, labelIds } = card;
  made.lose({ kind: "card", sourceId, name, reason });
  for (const loss of card.lost) if (loss.partly !== true) made.lose(loss);
  const marks = { cardMember: people.length, cardLabel: labelIds.length };
  for (const [kind, count] of Object.entries(marks)) {
    if (count > 0)
      made.lose({ kind, sourceId, name, count, reason: "The card did not come over." });
  }
  for (const part of partsOf(card)) {
    made.lose({ ...part, name, reason: "Its card did not come over." });
  }
}

const lockOld = (ids: bigint[], id: bigint) =>
  sql`SELECT c.*, l."publicId" AS "listPublicId", l.name AS "listName", b."publicId" AS "boardPublicId", b.name AS "boardName"
  FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
  WHERE c.id = ANY(${ids}::bigint[]) AND c."workspaceId" = ${id} AND c."deletedAt" IS NULL ORDER BY c.id FOR NO KEY UPDATE OF c`;
type Old = CardRow & Record<"listPublicId" | "listName" | "boardPublicId" | "boardName", string>;

/** The cards that came over before and are still here, wherever they are by now; they and their checklists are locked. */
export async function lockKnown(
  { tx, home }: Making,
  cards: SourceCard[],
  known: LookUp,
): Promise<Map<bigint, Onto>> {
  const ids = cards.flatMap(({ sourceId }) => known({ kind: "card", sourceId })?.targetId ?? []);
  if (ids.length === 0) return new Map();
  const checklists = cards.flatMap((card) =>
    card.checklists.flatMap(
      ({ sourceId }) => known({ kind: "checklist", sourceId })?.targetId ?? [],
    ),
  );
  if (checklists.length > 0) await tx.lock("checklists", checklists);
  const rows = await tx.query<Old>(lockOld(ids, home.id));
  return new Map(
    rows.map((row): [bigint, Onto] => {
      const list = { publicId: row.listPublicId, name: row.listName };
      const board = { publicId: row.boardPublicId, name: row.boardName };
      const around = { card: cardName(row, home), list, board };
      return [row.id, { id: row.id, isNew: false, around, tell: [] }];
    }),
  );
}
