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
const eventsPerStep = 5_000;
const next = (workspaceId: string, after: bigint) => sql`SELECT max(id) AS last FROM (
  SELECT id FROM events WHERE "workspaceId" = ${workspaceId}::bigint AND id > ${after}
  ORDER BY id LIMIT ${sql.number(eventsPerStep)}) AS step`;

/** A step: the events of a workspace after one id and up to another. */
type Step = { workspaceId: string; after: bigint; last: bigint; userId: string };

const inStep = ({ workspaceId, after, last }: Step) =>
  sql`e."workspaceId" = ${workspaceId}::bigint AND e.id > ${after} AND e.id <= ${last}`;
const isActor = ({ userId }: Step) => sql`e."actorUserId" = ${userId}::bigint`;
const newName = sql`${deletedAccountName}::text`;

function updateEvents(step: Step, memberPublicIds: string[]) {
  const isMember = sql`coalesce(
    e.data #>> '{member,publicId}' = ANY(${memberPublicIds}::text[]), false)`;
  const isComment = sql`e.type LIKE 'comment.%' AND EXISTS (SELECT 1 FROM comments c
    WHERE c."publicId" = e.data #>> '{comment,publicId}'
      AND c."createdById" = ${step.userId}::bigint)`;
  const memberData = sql`jsonb_set(e.data, '{member}',
    (e.data -> 'member') || jsonb_build_object('name', ${newName}, 'image', NULL))`;
  return sql`UPDATE events e SET
      "actorName" = CASE WHEN ${isActor(step)} THEN ${newName} ELSE e."actorName" END,
      data = CASE
        WHEN ${isMember} THEN ${memberData}
        WHEN ${isComment} THEN jsonb_set(e.data, '{comment,authorName}', to_jsonb(${newName}))
        ELSE e.data END
    WHERE ${inStep(step)} AND (${isActor(step)} OR ${isMember} OR ${isComment})`;
}

const updateNotifications = (step: Step) => sql`UPDATE notifications n
  SET data = jsonb_set(n.data, '{actor,name}', to_jsonb(${newName}))
  FROM events e WHERE ${inStep(step)} AND n."eventId" = e.id AND ${isActor(step)}`;

/** Removes the name of a deleted account from events and notifications. */
export const anonymizeUser: Runner = async ({ db }, payload, { alive }) => {
  const { userId, memberPublicIds, workspaceIds } = Payload.parse(payload);
  for (const workspaceId of workspaceIds) {
    let after = 0n;
    for (;;) {
      const [found] = await db.read<{ last: bigint | null }>(next(workspaceId, after));
      const last = found?.last;
      if (last === null || last === undefined) break;
      const step = { workspaceId, after, last, userId };
      await db.write(updateEvents(step, memberPublicIds));
      await db.write(updateNotifications(step));
      after = last;
      await alive();
    }
  }
};
