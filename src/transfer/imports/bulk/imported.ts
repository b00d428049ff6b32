import type { Query } from "../../../platform/db/query.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { sql } from "../../../platform/db/sql.ts";

/** The kinds of things that an import remembers by their ids at the source. */
export type Kind =
  | "board"
  | "list"
  | "label"
  | "card"
  | "checklist"
  | "checklistItem"
  | "comment"
  | "attachment";

/** A thing of the source. */
export type SourceThing = { kind: Kind; sourceId: string };

/** What a thing of the source has become here; `mine` when it was this very import that made it. */
export type Known = { targetId: bigint; mine: boolean };

type Of = { id: bigint; workspaceId: bigint; family: string };
type Row = SourceThing & { targetId: bigint; importId: bigint | null };

const keyOf = ({ kind, sourceId }: SourceThing) => `${kind} ${sourceId}`;

// OFFSET 0 keeps every look-up one by the unique index, whatever the planner believes of a table that grows as it is asked.
const lookUp = (workspaceId: bigint, family: string, kinds: Kind[], ids: string[]) =>
  sql`SELECT asked.kind, asked."sourceId", t."targetId", t."importId"
  FROM unnest(${kinds}::text[], ${ids}::text[]) AS asked(kind, "sourceId") CROSS JOIN LATERAL (
    SELECT "targetId", "importId" FROM imported_things WHERE "workspaceId" = ${workspaceId} AND source = ${family}
      AND kind = asked.kind AND "sourceId" = asked."sourceId" OFFSET 0) t`;

/** Which of these things have come over before, in one query; answers how to look one up. */
export async function knownThings(
  query: Query,
  { id, workspaceId, family }: Of,
  asked: SourceThing[],
): Promise<(thing: SourceThing) => Known | undefined> {
  const kinds = asked.map(({ kind }) => kind);
  const ids = asked.map(({ sourceId }) => sourceId);
  const rows = await query<Row>(lookUp(workspaceId, family, kinds, ids));
  const known = new Map(
    rows.map((row): [string, Known] => [
      keyOf(row),
      { targetId: row.targetId, mine: row.importId === id },
    ]),
  );
  return (thing) => known.get(keyOf(thing));
}

const insert = `INSERT INTO imported_things ("workspaceId", "importId", "boardId", source, kind, "sourceId", "targetId", "createdAt")
  SELECT $1::bigint, $2::bigint, $3::bigint, $4, thing.kind, thing."sourceId", thing."targetId", $5::timestamptz
  FROM unnest($6::text[], $7::text[], $8::bigint[]) AS thing(kind, "sourceId", "targetId")`;

/** What is more goes in several statements, each well within its time. */
const batch = 5_000;

/** Remembers what things of the source have become, in the transaction that makes them. */
export async function remember(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { id, workspaceId, family }: Of,
  boardId: bigint | null,
  things: (SourceThing & { targetId: bigint })[],
): Promise<void> {
  for (let from = 0; from < things.length; from += batch) {
    const some = things.slice(from, from + batch);
    const columns = [
      some.map(({ kind }) => kind),
      some.map(({ sourceId }) => sourceId),
      some.map(({ targetId }) => targetId),
    ];
    await query(insert, [workspaceId, id, boardId, family, now, ...columns]);
  }
}

/** Forgets what came with boards that are not here any more: deleted, or moved to another workspace. */
export async function forgetGone(query: Query, { workspaceId, family }: Of, sourceId: string) {
  await query(
    sql`DELETE FROM imported_things WHERE "workspaceId" = ${workspaceId} AND source = ${family} AND "boardId" IN (
       SELECT b."targetId" FROM imported_things b LEFT JOIN boards live ON live.id = b."targetId" AND live."deletedAt" IS NULL AND live."workspaceId" = ${workspaceId}
       WHERE b."workspaceId" = ${workspaceId} AND b.source = ${family} AND b.kind = 'board' AND b."sourceId" = ${sourceId} AND live.id IS NULL)`,
  );
}
