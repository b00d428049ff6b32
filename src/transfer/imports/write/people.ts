import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { withoutAddresses } from "../../../platform/foreign-text.ts";
import { importedParts } from "./card-parts.ts";
import type { Member, Members, SourceCard } from "./source.ts";
import type { ImportStep } from "./step.ts";

type Source = Pick<Import, "workspaceId" | "family">;

/** The people of a source who are mapped to members, by their ids at the source. */
export const mappedPeople = (query: Query, { workspaceId, family }: Source) =>
  membersBySourceId(
    query,
    sql`SELECT p."sourceId", m.id, m."publicId" FROM imported_people p
      JOIN members m ON m.id = p."memberId" AND m.status <> 'removed'
      WHERE p."workspaceId" = ${workspaceId} AND p.source = ${family}`,
  );

/** The members who have connected an account at GitHub, by login in lower case. */
export const connectedPeople = (query: Query, { workspaceId }: Source) =>
  membersBySourceId(
    query,
    sql`SELECT lower(i.account) AS "sourceId", min(m.id) AS id, min(m."publicId") AS "publicId"
      FROM members m JOIN integrations i ON i."userId" = m."userId" AND i.provider = 'github'
      WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed'
        AND i.account IS NOT NULL
      GROUP BY 1 HAVING count(*) = 1`,
  );

async function membersBySourceId(query: Query, statement: Sql): Promise<Members> {
  const rows = await query<Member & { sourceId: string }>(statement);
  return new Map(rows.map(({ sourceId, ...person }) => [sourceId, person]));
}

// The last name of a person counts: sources name assignees in full, and authors may not.
const byName = importedParts.toReversed();

/** Records the people on cards. Returns the members that they are mapped to, by source id. */
export async function writePeople(
  { tx, target, context }: ImportStep,
  cards: SourceCard[],
): Promise<ReadonlyMap<string, bigint>> {
  const peopleOfCards = byName.flatMap(({ people }) =>
    cards.flatMap((card) => people?.(card) ?? []),
  );
  const names = new Map(
    peopleOfCards.map(({ sourceId, name }) => [sourceId, withoutAddresses(name)]),
  );
  if (names.size === 0) return new Map();
  const { family } = context.row;
  const of = { workspaceId: target.id, source: family, createdAt: tx.now, updatedAt: tx.now };
  // In one order: an import of the same people at the same moment waits for each of them.
  const ids = [...names.keys()].toSorted();
  const people = ids.map((sourceId) => ({ ...of, sourceId, name: names.get(sourceId) ?? "" }));
  await insertRows(tx.query, "imported_people", people, sql`ON CONFLICT DO NOTHING`);
  // A mapping that starts now waits for this transaction, and finds its assignments.
  const rows = await tx.query<{ sourceId: string; memberId: bigint | null }>(sql`
    SELECT p."sourceId", p."memberId" FROM imported_people p
    WHERE p."workspaceId" = ${target.id} AND p.source = ${family}
      AND p."sourceId" = ANY(${ids}::text[]) ORDER BY p.id FOR SHARE`);
  return new Map(
    rows.flatMap(({ sourceId, memberId }) => (memberId === null ? [] : [[sourceId, memberId]])),
  );
}
