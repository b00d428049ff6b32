import type { EventType } from "../../contract/events.ts";
import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * The events of a workspace that concern users, with their names in the users' streams.
 *
 * An event of the workspace itself concerns all members.
 */
const names: Partial<Record<EventType, string>> = {
  "workspace.created": "workspace.joined",
  "workspace.restored": "workspace.joined",
  "workspace.deleted": "workspace.left",
  "member.invited": "invitation.received",
  "member.joined": "workspace.joined",
  "member.removed": "workspace.left",
  "access.gained": "access.gained",
  "access.lost": "access.lost",
};

/** Finds the events of the users that events of a workspace concern. */
export const userEventConsumer: EventConsumer = ({ workspaceId, events }) => {
  if (!events.some(({ type }) => type in names)) return null;
  const ctes = sql`concerned AS (
    SELECT u.id AS "userId", names.value AS type, jsonb_strip_nulls(jsonb_build_object(
        'workspacePublicId', w."publicId", 'boardPublicId', r.data -> 'boardPublicId')) AS data
    FROM recorded r
    JOIN jsonb_each_text(${JSON.stringify(names)}::jsonb) AS names ON names.key = r.type
    JOIN workspaces w ON w.id = ${workspaceId}::bigint
    CROSS JOIN LATERAL (
      SELECT jsonb_array_elements_text(r.data -> 'memberPublicIds') AS "publicId"
      UNION ALL SELECT r.data #>> '{member,publicId}'
      UNION ALL SELECT one."publicId" FROM members one
        WHERE r.type LIKE 'workspace.%' AND one."workspaceId" = w.id AND one.status = 'active'
      ) AS named
    JOIN members m ON m."publicId" = named."publicId"
    JOIN users u ON u.id = coalesce(m."userId",
      (SELECT known.id FROM users known WHERE known.email = m.email))
    WHERE u."deletedAt" IS NULL ORDER BY r.number)`;
  return { ctes, stored: [], userEvents: sql`SELECT "userId", type, data FROM concerned` };
};
