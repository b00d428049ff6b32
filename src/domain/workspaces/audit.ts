import { z } from "zod";
import { ClientAddress } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { EventTypeName } from "../../contract/event-envelope.ts";
import { viewActivity, type ActivityRow } from "../../kernel/events/activity.ts";
import { hiddenFields, historyTypes, withoutFields } from "../../kernel/events/redact.ts";
import { whole } from "../../kernel/events/stored-data.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Moment, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Query } from "../../platform/db/query.ts";

const Filter = Page.extend({
  actor: inputId("user", "Only events of this user or API key.").optional(),
  type: EventTypeName.meta({
    description: "Only events of this type.",
    examples: ["list.created"],
  }).optional(),
  since: Moment.meta({
    description: "Only at or after this time.",
    examples: ["2026-01-01T00:00:00.000Z"],
  }).optional(),
  until: Moment.meta({
    description: "Only before this time.",
    examples: ["2026-03-01T00:00:00.000Z"],
  }).optional(),
});
const AuditEntry = Activity.extend({
  credential: z
    .string()
    .nullable()
    .meta({
      description: "The kind of credential of the caller. Null for the service itself.",
      examples: ["session"],
    }),
  ip: ClientAddress,
  requestId: z
    .string()
    .nullable()
    .meta({ description: "The id of the request, as in the log.", examples: ["q8w2e5r7t1y4"] }),
}).meta({
  id: "AuditEntry",
  description: "An event with the credential, address and request that caused it.",
});

type Entry = z.infer<typeof AuditEntry>;
type Row = ActivityRow & Pick<Entry, "credential" | "ip" | "requestId">;

type Asked = {
  workspaceId: bigint;
  before: bigint | null;
  actor: string | null;
  types: readonly string[];
  since: Date | null;
  until: Date | null;
  limit: number;
};

/** How many events of the log a page reads: no index has what its filters name. */
const maxRead = 100_000;

/** SQL: the part of the log that a page reads, latest first. */
const readOf = ({ workspaceId, before }: Asked) =>
  sql`FROM events WHERE "workspaceId" = ${workspaceId}
    AND (${before}::bigint IS NULL OR id < ${before}) ORDER BY id DESC`;

const statement = (request: Asked) => {
  const { actor, types, since, until, limit } = request;
  return sql`SELECT id, "publicId", type, "actorType"::text AS "actorType",
    "actorPublicId", "actorName", data, changes, credential, ip, "requestId", "createdAt"
  FROM (SELECT * ${readOf(request)} LIMIT ${sql.number(maxRead)}) e
  WHERE (${actor}::text IS NULL OR "actorPublicId" = ${actor}) AND type = ANY (${types}::text[])
    AND (${since}::timestamptz IS NULL OR "createdAt" >= ${since}::timestamptz)
    AND (${until}::timestamptz IS NULL OR "createdAt" < ${until}::timestamptz)
  ORDER BY id DESC LIMIT ${limit}`;
};

/** Commits are at most so much later than the time of their events. */
const slackMs = 24 * 60 * 60_000;

/**
 * The last event that a page has read, if the log continues after it.
 *
 * It ends where all older events are from before `since`. The time of an imported event is earlier
 * than its position in the log.
 */
async function lastRead(read: Query, request: Asked): Promise<bigint | undefined> {
  const [last] = await read<{ id: bigint; createdAt: Date; isImported: boolean }>(
    sql`SELECT id, "createdAt", number IS NULL AS "isImported"
      FROM events WHERE id = (SELECT id ${readOf(request)}
        OFFSET ${sql.number(maxRead - 1)} LIMIT 1)`,
  );
  if (last === undefined) return undefined;
  const from = (request.since?.getTime() ?? -Infinity) - slackMs;
  return last.isImported || last.createdAt.getTime() >= from ? last.id : undefined;
}

/** Lists the events of a workspace with actor, credential, IP and request id, latest first. */
export const listAudit = query("workspace.audit", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/audit",
      "List the audit log",
      "Returns the events of a workspace, newest first, with actor, type of credential, client " +
        "IP and request id. Events about what the caller may not view are left out. " +
        `A page covers up to ${maxRead.toLocaleString("en")} events. With a filter it may ` +
        "therefore have few or no items, and still a `nextCursor`.",
    ),
  )
  .output(pageOf(AuditEntry))
  .query(async ({ ctx: { workspace, membership, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `audit of ${workspace.id}`);
    const request = {
      workspaceId: workspace.id,
      before: pages.after(input.cursor) ?? null,
      actor: input.actor ?? null,
      types: historyTypes(membership.may).filter((type) => type === (input.type ?? type)),
      since: momentOf(input.since),
      until: momentOf(input.until),
      limit: input.limit + 1,
    };
    const rows = await db.query<Row>(statement(request));
    const readTo = rows.length < request.limit ? await lastRead(db.query, request) : undefined;
    const visible = rows.map((row) =>
      withoutFields(whole(row), hiddenFields(row.type, membership.may)),
    );
    return pages.page(
      visible,
      input.limit,
      ({ credential, ip, requestId, ...row }) => ({
        ...viewActivity(row),
        credential,
        ip,
        requestId,
      }),
      readTo,
    );
  });

// PostgreSQL accepts fewer time zone offsets than ISO 8601 allows.
const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text));
