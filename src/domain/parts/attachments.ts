import { iso } from "../../contract/vocabulary/fields.ts";
import type { Attachment } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { purgeAttachments } from "../attachments/purge.ts";
import { showAttachment, type AttachmentView } from "../shown/attachments.ts";
import type { Part, RowsPart } from "./part.ts";
import { cardRef, jsonRows, onCards, type OnCard } from "./rows-sql.ts";

const from = sql`attachments a`;
const isOn = (cardId: Sql) =>
  sql`a."cardId" = ${cardId} AND a."deletedAt" IS NULL AND a.status = 'stored'`;

/** SQL: the name of an attachment's file in an archive. */
export const fileName = sql`'files/' || coalesce(a.sha256, a."publicId")`;

type Read = Omit<AttachmentView, "createdAt"> & { createdAt: string };
type Row = OnCard & Attachment & { file: string | null };

/** Stored ones, oldest first. */
const rows: RowsPart<Row, "attachment"> = {
  statement: onCards({
    columns: sql`a."publicId", a.kind::text AS kind, a.filename, a."contentType", a.size, a.sha256,
      CASE WHEN a."storageKey" IS NOT NULL THEN ${fileName} END AS file, a.url, a.version,
      a."createdAt", a."updatedAt"`,
    from,
    where: isOn(cardRef),
    first: sql`a."createdAt"`,
    second: sql`a.id`,
  }),
  start: ["-infinity", 0n],
  stored: (attachmentRows) =>
    attachmentRows.map((row) => ({
      publicId: row.publicId,
      kind: row.kind,
      filename: row.filename,
      contentType: row.contentType,
      size: row.size === null ? null : Number(row.size),
      sha256: row.sha256,
      file: row.file,
      url: row.url,
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    })),
  kind: "attachment",
  lines: (attachmentRows, { api, cardOf }) =>
    attachmentRows.map((row) => {
      const { kind: attachmentKind, ...attachment } = showAttachment(row, api);
      return { ...attachment, attachmentKind, cardPublicId: cardOf(row) };
    }),
};

/** The files and links on a card. */
export const attachments = {
  from,
  isOn,
  summary: {
    total: sql`count(*)`,
    count: (attachmentCount) => ({ attachmentCount }),
  },
  detail: {
    read: (cardId) =>
      jsonRows(sql`SELECT "publicId", kind, filename, "contentType", size, url,
        version, "createdAt"
      FROM ${from} WHERE ${isOn(cardId)} ORDER BY "createdAt", id`),
    none: [],
    show: (attachmentRows: Read[], api) => ({
      attachments: attachmentRows.map((row) =>
        showAttachment({ ...row, createdAt: new Date(row.createdAt) }, api),
      ),
      attachmentCount: attachmentRows.length,
    }),
  },
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
  exported: { rows },
} satisfies Part;
