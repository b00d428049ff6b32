import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import { memberName } from "../cards/summaries.ts";
import type { MemberRef } from "../../contract/resources/members.ts";
import { sql } from "../../platform/db/sql.ts";

type Ref = z.infer<typeof MemberRef>;

const statement = (workspaceId: bigint, userIds: bigint[]) => sql`
  SELECT m."userId", m."publicId", ${memberName} AS name, u.image
  FROM members m JOIN users u ON u.id = m."userId"
  WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed'
    AND m."userId" = ANY(${userIds}::bigint[])`;

/** The authors of comments as members of the workspace, in one query; null for others. */
export async function authorsOf(
  query: Query,
  workspaceId: bigint,
  rows: { createdById: bigint | null }[],
): Promise<(row: { createdById: bigint | null }) => Ref | null> {
  const ids = [...new Set(rows.flatMap(({ createdById }) => createdById ?? []))];
  const found = await query<Ref & { userId: bigint }>(statement(workspaceId, ids));
  const refs = new Map(
    found.map(({ userId, publicId, name, image }) => [userId, { publicId, name, image }]),
  );
  return ({ createdById }) => (createdById === null ? null : (refs.get(createdById) ?? null));
}
