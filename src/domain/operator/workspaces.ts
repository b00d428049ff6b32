import { z } from "zod";
import { OperatorWorkspace } from "../../contract/resources/operator.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/texts.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { fileBytesSql } from "../attachments/quota.ts";
import { hasText } from "./has-text.ts";
import {
  adminCount,
  chosenColumns,
  memberCount,
  selectWorkspaces,
  showWorkspaceRow,
  type WorkspaceRow,
} from "./workspace-rows.ts";

/** What each order compares before the id: the largest first. */
const sortKeys = {
  created: sql`0::bigint`,
  activity: sql`coalesce((SELECT e.id FROM events e
    WHERE e."workspaceId" = w.id AND e.number = l.last), 0)`,
  cards: sql`w."lastCardNumber"`,
  events: sql`coalesce(l.last, 0)`,
  files: sql`${fileBytesSql(sql`w.id`)}::bigint`,
  members: memberCount,
} as const;

const Sort = z.enum(["created", "activity", "cards", "events", "files", "members"]).meta({
  id: "OperatorWorkspaceSort",
  description:
    "Newest first, latest activity first, or those with the most cards, events, bytes of files or " +
    "members first.",
});
const Filter = Page.extend({
  find: text(1, 255)
    .meta({
      description: "Only workspaces whose name or slug contains this, or that have this id.",
      examples: ["engines"],
    })
    .optional(),
  sort: Sort.default("created").meta({
    description: "The order: newest or latest activity first, or most of something first.",
    examples: ["cards"],
  }),
  deleted: z
    .boolean()
    .default(false)
    .meta({ description: "Returns workspaces in the trash instead of the others." }),
  withoutAdmin: z
    .boolean()
    .default(false)
    .meta({ description: "Only workspaces without an active admin." }),
});

/** Lists the workspaces of the service with their sizes. */
export const listAllWorkspaces = query("operator.workspaces", Filter)
  .meta(
    rest("Operator").get(
      "/operator/workspaces",
      "List all workspaces",
      "Returns the workspaces of the service with their sizes. Cards and events are those that " +
        "they ever had, and are not counted for the order; files and members are, of all workspaces.",
    ),
  )
  .output(pageOf(OperatorWorkspace))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit, ...filter } }) => {
    const pages = pagesByKeys(deps.seal, `workspaces of the operator by ${filter.sort}`);
    const [key = null, id = null] = pages.after(cursor) ?? [];
    const by = sortKeys[filter.sort];
    const chosen = sql`SELECT ${chosenColumns}, ARRAY[(${by})::text, w.id::text] AS keys,
        row_number() OVER (ORDER BY ${by} DESC, w.id DESC) AS place
      FROM workspaces w LEFT JOIN logs l ON l."workspaceId" = w.id
      WHERE (w."deletedAt" IS NOT NULL) = ${filter.deleted}
        AND (${id}::bigint IS NULL OR (${by}, w.id) < (${key}::bigint, ${id}::bigint))
        AND ${hasText(filter.find, [sql`w.name`, sql`w.slug`], sql`w."publicId"`)}
        AND ${filter.withoutAdmin ? sql`${adminCount} = 0` : sql`true`}
      ORDER BY ${by} DESC, w.id DESC LIMIT ${limit + 1}`;
    const all = await db.query<WorkspaceRow>(selectWorkspaces(chosen));
    const { rows, nextCursor } = pages.page(all, limit);
    return { items: rows.map(showWorkspaceRow), nextCursor };
  });
