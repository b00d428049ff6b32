import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import type { Comment } from "../../platform/db/rows.ts";
import type { MemberRef } from "../../contract/resources/members.ts";
import { sql } from "../../platform/db/sql.ts";

type Ref = z.infer<typeof MemberRef>;

type Row = Pick<Comment, "createdById" | "importSource" | "importAuthorId">;
type AuthorRow = Ref & { key: string };

const columns = sql`m."publicId", ${memberName} AS name, u.image`;

/** The key of the author of a comment: a user, or a person of a source. */
const keyOf = ({ createdById, importSource, importAuthorId }: Row) =>
  importSource === null ? String(createdById) : `${importSource} ${importAuthorId}`;

const byUser = (workspaceId: bigint, userIds: bigint[]) => sql`
  SELECT m."userId"::text AS key, ${columns} FROM members m JOIN users u ON u.id = m."userId"
  WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed'
    AND m."userId" = ANY(${userIds}::bigint[])`;

const byPerson = (workspaceId: bigint, keys: string[]) => sql`
  SELECT p.source || ' ' || p."sourceId" AS key, ${columns} FROM imported_people p
  JOIN members m ON m.id = p."memberId" AND m."workspaceId" = p."workspaceId"
    AND m.status <> 'removed'
  LEFT JOIN users u ON u.id = m."userId"
  WHERE p."workspaceId" = ${workspaceId}
    AND p.source || ' ' || p."sourceId" = ANY(${keys}::text[])`;

/**
 * The members who are the authors of comments; null for others.
 *
 * The member of an imported comment is the one that its author at the source is mapped to.
 */
export async function authorsOf(
  query: Query,
  workspaceId: bigint,
  rows: Row[],
): Promise<(row: Row) => Ref | null> {
  const userIds = new Set(rows.flatMap(({ createdById }) => createdById ?? []));
  const imported = rows.filter(({ importSource }) => importSource !== null);
  const people = new Set(imported.map(keyOf));
  const authorRows = [
    ...(userIds.size === 0 ? [] : await query<AuthorRow>(byUser(workspaceId, [...userIds]))),
    ...(people.size === 0 ? [] : await query<AuthorRow>(byPerson(workspaceId, [...people]))),
  ];
  const refs = new Map(authorRows.map(({ key, ...ref }) => [key, ref]));
  return (row) => refs.get(keyOf(row)) ?? null;
}
