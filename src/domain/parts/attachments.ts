import type { Attachment } from "../../platform/db/rows.ts";
import { isoText } from "../../platform/db/iso-text.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { purgeAttachments } from "../attachments/purge.ts";
import { fileUrl } from "../presenters/attachments.ts";
import type { Part, RowsPart } from "./part.ts";
import type { OnCard } from "./rows-sql.ts";

const from = sql`attachments a`;
const isOn = (cardId: Sql) =>
  sql`a."cardId" = ${cardId} AND a."deletedAt" IS NULL AND a.status = 'stored'`;

/** SQL: the name of an attachment's file in an archive. */
export const fileName = sql`'files/' || coalesce(a.sha256, a."publicId")`;

type Row = OnCard & Pick<Attachment, "publicId" | "kind" | "url">;

/** Stored ones, oldest first. */
const rows: RowsPart<Row> = {
  kind: "attachment",
  columns: sql`a."publicId", a.kind::text AS kind, a.filename, a."contentType",
    a.size::float8 AS size, a.sha256,
    CASE WHEN a."storageKey" IS NOT NULL THEN ${fileName} END AS file, a.url, a.version,
    ${isoText(sql`a."createdAt"`)} AS "createdAt", ${isoText(sql`a."updatedAt"`)} AS "updatedAt"`,
  from,
  isOn,
  first: sql`a."createdAt"`,
  second: sql`a.id`,
  start: ["-infinity", 0n],
  textBytes: sql`octet_length(a.filename) + coalesce(octet_length(a.url), 0)`,
  things: (attachmentRows, api) =>
    attachmentRows.map((row) => ({
      ...row,
      attachmentKind: row.kind,
      url: row.url ?? (api === undefined ? null : fileUrl(api, row)),
    })),
};

/** The files and links on a card. */
export const attachments = {
  from,
  isOn,
  summary: { count: ({ attachmentCount }) => ({ attachmentCount }) },
  kept: {
    columns: { attachmentCount: sql`count(*)::int` },
    from,
    isOn,
    isChangedBy: ({ type }) => type.startsWith("attachment."),
  },
  rows,
  csv: { columns: ["attachments"] },
  copied: [
    {
      table: "attachments",
      alias: "a",
      // Both attachments have one file, which stays until the last of them is purged.
      columns: "kind status filename contentType size sha256 storageKey url".split(" "),
      texts: ["filename", "url"],
      fileBytes: sql`CASE WHEN a."storageKey" IS NULL THEN 0 ELSE a.size END`,
    },
  ],
  purged: {
    table: "attachments",
    purge: purgeAttachments,
    // It has the only reference to its file.
    keeps: sql`attachments a WHERE a."cardId" = t.id AND a."storageKey" IS NOT NULL`,
  },
} satisfies Part;
