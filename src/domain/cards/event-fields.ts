import type { z } from "zod";
import type { CardState } from "../../contract/resources/cards.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { assemble, type Relation } from "./assemble.ts";
import { cardsBefore } from "./cards-before.ts";
import { relations } from "./relations-sql.ts";

/** What events show of a card beside its row: relations, counts and index. */
export type EventFields = {
  related: Relation[];
  listPublicId: string;
  /** How many cards of its list come before it. */
  before: number;
  /** Whether anyone watches it. */
  isWatched: boolean;
};

/** SQL: the card `c` with a public id. */
export const cardWithId = (publicId: string): Sql => sql`c."publicId" = ${publicId}`;

/** SQL: whether anyone watches the card `c`. */
export const isWatchedSql = sql`EXISTS (SELECT FROM card_watchers cw WHERE cw."cardId" = c.id)`;

const listOf = (isCard: Sql) => sql`SELECT l."publicId" AS "listPublicId",
    ${cardsBefore(sql`c."listId"`, sql`c.position`)} AS before, ${isWatchedSql} AS "isWatched"
  FROM cards c JOIN lists l ON l.id = c."listId" WHERE ${isCard}`;

/** Reads the event fields of the card `c` that is locked. */
export async function readEventFields(query: Query, isCard: Sql): Promise<EventFields> {
  const [related, [found]] = await Promise.all([
    query<Relation>(relations(isCard)),
    query<Omit<EventFields, "related">>(listOf(isCard)),
  ]);
  if (found === undefined) throw notFound("card");
  return { ...found, related };
}

/** A card with its event fields. */
export type CardWithEventFields = { card: Card; eventFields: EventFields };

/** Reads the card `c`, which was locked with what is on it, with its event fields. */
export async function readCard(query: Query, isCard: Sql): Promise<CardWithEventFields> {
  const [[card], eventFields] = await Promise.all([
    query<Card>(sql`SELECT c.* FROM cards c WHERE ${isCard}`),
    readEventFields(query, isCard),
  ]);
  if (card === undefined) throw notFound("card");
  return { card, eventFields };
}

type Known = Partial<
  Pick<z.infer<typeof CardState>, "labels" | "members" | "commentCount" | "checklistItems">
>;

/** The number of comments in the event fields. */
export const commentsIn = ({ related }: EventFields): number =>
  Number(related.find(({ kind }) => kind === "comments")?.total ?? 0n);

/** The numbers of checklist items in the event fields. */
export function itemsIn({ related }: EventFields): { total: number; completed: number } {
  const found = related.find(({ kind }) => kind === "items");
  return { total: Number(found?.total ?? 0n), completed: Number(found?.done ?? 0n) };
}

/** Notes the state of a card after the writes of its handler, with `changed` relations. */
export function noteState(
  tx: UnitOfWork<never>,
  card: Card,
  { workspace }: { workspace: { cardPrefix: string } },
  { related, before: index, listPublicId, isWatched }: EventFields,
  changed: Known = {},
): void {
  const { id, description } = card;
  const row = {
    ...card,
    listPublicId,
    prefix: workspace.cardPrefix,
    hasDescription: (description ?? "") !== "",
    index: card.archivedAt === null ? BigInt(index) : null,
  };
  const [summary] = assemble(
    [row],
    related.map((relation) => ({ ...relation, cardId: id })),
  );
  if (summary === undefined) throw new Error("The card has no summary.");
  tx.cardStates.set(card.publicId, { ...summary, description, isWatched, ...changed });
}
