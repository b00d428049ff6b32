import { z } from "zod";
import { deletedAccountName } from "../views/deleted-account.ts";
import type { AnonymizeUser } from "../../kernel/jobs/kinds.ts";
import type { Runner } from "../../kernel/jobs/run.ts";
import { sql } from "../../platform/db/sql.ts";

const Payload: z.ZodType<AnonymizeUser> = z.object({
  userId: z.string(),
  memberPublicIds: z.array(z.string()),
  workspaceIds: z.array(z.string()),
});

// Events per step. No index finds the events of one user, so each step scans a range of ids.
const step = 5_000;
const next = (workspaceId: string, from: bigint) =>
  sql`SELECT max(id) AS last FROM (
  SELECT id FROM events WHERE "workspaceId" = ${workspaceId}::bigint AND id > ${from}
  ORDER BY id LIMIT ${sql.number(step)}) AS step`;

const inStep = `"workspaceId" = $1::bigint AND e.id > $2::bigint AND e.id <= $3::bigint`;
const isActor = `e."actorUserId" = $4::bigint`;
const isMember = `coalesce(e.data #>> '{member,publicId}' = ANY($6::text[]), false)`;
const isComment = `e.type LIKE 'comment.%' AND EXISTS (SELECT 1 FROM comments c
  WHERE c."publicId" = e.data #>> '{comment,publicId}' AND c."createdById" = $4::bigint)`;
const memberData = `jsonb_set(e.data, '{member}',
  (e.data -> 'member') || jsonb_build_object('name', $5::text, 'image', NULL))`;
const events = `UPDATE events e SET
    "actorName" = CASE WHEN ${isActor} THEN $5::text ELSE e."actorName" END,
    data = CASE
      WHEN ${isMember} THEN ${memberData}
      WHEN ${isComment} THEN jsonb_set(e.data, '{comment,authorName}', to_jsonb($5::text))
      ELSE e.data END
  WHERE e.${inStep} AND (${isActor} OR ${isMember} OR ${isComment})`;
const notifications = `UPDATE notifications n
  SET data = jsonb_set(n.data, '{actor,name}', to_jsonb($5::text))
  FROM events e WHERE e.${inStep} AND n."eventId" = e.id AND ${isActor}`;

/** Removes the name of a deleted account from events and notifications. */
export const anonymizeUser: Runner = async ({ db }, payload, { alive }) => {
  const { userId, memberPublicIds, workspaceIds } = Payload.parse(payload);
  for (const workspaceId of workspaceIds) {
    let from = 0n;
    for (;;) {
      const [found] = await db.read<{ last: bigint | null }>(next(workspaceId, from));
      const last = found?.last;
      if (last === null || last === undefined) break;
      const values = [workspaceId, from, last, userId, deletedAccountName];
      await db.write(events, [...values, memberPublicIds]);
      await db.write(notifications, values);
      from = last;
      await alive();
    }
  }
};
