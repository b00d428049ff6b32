import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { EventTypeName } from "../../contract/event-envelope.ts";
import type { EventType } from "../../contract/events.ts";
import { hiddenFields, historyTypes, withoutFields } from "../../kernel/events/redact.ts";
import { iso, Moment, Page, pageOf, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  actor: PublicId.meta({ description: "Only events of this user or API key." }).optional(),
  type: EventTypeName.optional(),
  since: Moment.optional(),
  until: Moment.optional(),
});
const AuditEntry = Activity.extend({
  credential: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
}).meta({ id: "AuditEntry" });

type Entry = z.infer<typeof AuditEntry>;
type Row = Omit<Entry, "createdAt" | "actor" | "type"> & {
  id: bigint;
  type: EventType;
  actorType: Entry["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  createdAt: Date;
};

const statement = (
  id: bigint,
  before: bigint | null,
  actor: string | null,
  types: readonly string[],
  since: Date | null,
  until: Date | null,
  limit: number,
) =>
  sql`SELECT id, "publicId", type, "actorType"::text AS "actorType",
    "actorPublicId", "actorName", data, changes, credential, ip, "requestId", "createdAt"
  FROM events WHERE "workspaceId" = ${id} AND (${before}::bigint IS NULL OR id < ${before})
    AND (${actor}::text IS NULL OR "actorPublicId" = ${actor}) AND type = ANY (${types}::text[])
    AND (${since}::timestamptz IS NULL OR "createdAt" >= ${since}::timestamptz)
    AND (${until}::timestamptz IS NULL OR "createdAt" < ${until}::timestamptz)
  ORDER BY id DESC LIMIT ${limit}`;

/** Lists the events of a workspace with actor, credential, IP and request id, latest first. */
export const listAudit = query("workspace.audit", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/audit",
      "List the audit log",
      "Returns the events of the workspace, latest first, with actor, credential type, client " +
        "IP and request id. Events need the permission to view what they are about.",
    ),
  )
  .output(pageOf(AuditEntry))
  .query(async ({ ctx: { workspace, membership, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `audit of ${workspace.id}`);
    const rows = await db.query<Row>(
      statement(
        workspace.id,
        pages.after(input.cursor) ?? null,
        input.actor ?? null,
        historyTypes(membership.may).filter((type) => type === (input.type ?? type)),
        momentOf(input.since),
        momentOf(input.until),
        input.limit + 1,
      ),
    );
    const visible = rows.map((row) => withoutFields(row, hiddenFields(row.type, membership.may)));
    return pages.page(
      visible,
      input.limit,
      ({ actorType, actorPublicId, actorName, createdAt, ...row }) => ({
        ...row,
        actor: { type: actorType, publicId: actorPublicId, name: actorName },
        createdAt: iso(createdAt),
      }),
    );
  });

// PostgreSQL accepts fewer time zone offsets than ISO 8601 allows.
const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text));
