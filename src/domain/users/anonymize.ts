import { z } from "zod";
import { deletedAccountName } from "../presenters/deleted-account.ts";
import type { AnonymizeUser } from "../../kernel/jobs/kinds.ts";
import type { Runner } from "../../kernel/jobs/run.ts";
import { inOrder } from "../../platform/db/in-order.ts";
import type { Query } from "../../platform/db/query.ts";
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

function updateEvents(step: Step) {
  const isComment = sql`e.type LIKE 'comment.%' AND EXISTS (SELECT 1 FROM comments c
    WHERE c."publicId" = e.data #>> '{comment,publicId}'
      AND c."createdById" = ${step.userId}::bigint)`;
  return sql`UPDATE events e SET
      "actorName" = CASE WHEN ${isActor(step)} THEN ${newName} ELSE e."actorName" END,
      data = CASE
        WHEN ${isComment} THEN jsonb_set(e.data, '{comment,authorName}', to_jsonb(${newName}))
        ELSE e.data END
    WHERE ${inStep(step)} AND (${isActor(step)} OR ${isComment})`;
}

type Named = { id: bigint; data: unknown };

/** Locks the events of a step: their texts may be erased at the same moment. */
const lockEvents = (step: Step) => sql`SELECT count(*) FROM (SELECT 1 FROM events e
  WHERE ${inStep(step)} ORDER BY e.id FOR NO KEY UPDATE) AS locked`;

/** The events that show members: alone, as authors, or on cards. */
const showing = (step: Step, memberPublicIds: string[]) => sql`SELECT e.id, e.data FROM events e
  WHERE ${inStep(step)} AND jsonb_path_exists(e.data,
    '$.** ? (@.publicId == $ids[*] && exists(@.name))',
    jsonb_build_object('ids', ${memberPublicIds}::text[]))`;

/** A JSON value in which members have no names and images. */
function withoutNames(value: unknown, memberPublicIds: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, memberPublicIds));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, item]: [string, unknown]) => [
    key,
    withoutNames(item, memberPublicIds),
  ]);
  const isMember = "publicId" in value && memberPublicIds.includes(value.publicId);
  return {
    ...Object.fromEntries(fields),
    ...(isMember ? { name: deletedAccountName, image: null } : {}),
  };
}

const setData = (ids: bigint[], data: string[]) => sql`UPDATE events e SET data = changed.data
  FROM unnest(${ids}::bigint[], ${data}::jsonb[]) AS changed(id, data) WHERE e.id = changed.id`;

function updateNotifications(step: Step) {
  const isTheirs = sql`"eventId" IN (SELECT e.id FROM events e
    WHERE ${inStep(step)} AND ${isActor(step)})`;
  return sql`UPDATE notifications SET data = jsonb_set(data, '{actor,name}', to_jsonb(${newName}))
    WHERE ${inOrder("notifications", isTheirs)}`;
}

async function anonymizeStep(query: Query, step: Step, memberPublicIds: string[]): Promise<void> {
  await query(lockEvents(step));
  await query(updateEvents(step));
  const eventRows = await query<Named>(showing(step, memberPublicIds));
  const data = eventRows.map((event) => JSON.stringify(withoutNames(event.data, memberPublicIds)));
  const ids = eventRows.map(({ id }) => id);
  if (ids.length > 0) await query(setData(ids, data));
  await query(updateNotifications(step));
}

/** Removes the name of a deleted account from events and notifications. */
export const anonymizeUser: Runner = async ({ db }, payload, { alive }) => {
  const { userId, memberPublicIds, workspaceIds } = Payload.parse(payload);
  for (const workspaceId of workspaceIds) {
    let after = 0n;
    for (;;) {
      const [row] = await db.read<{ last: bigint | null }>(next(workspaceId, after));
      const last = row?.last;
      if (last === null || last === undefined) break;
      const step = { workspaceId, after, last, userId };
      await db.transact((_, query) => anonymizeStep(query, step, memberPublicIds));
      after = last;
      await alive();
    }
  }
};
