import { z } from "zod";
import { Timestamp } from "../../contract/vocabulary/fields.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest, failure } from "../../platform/errors.ts";
import { fieldColumn } from "../../domain/parts/field-columns.ts";
import { namesIn } from "../format/csv-cells.ts";
import { startReading } from "./csv/examine.ts";
import { CsvFields, type FieldColumn } from "./csv/fields.ts";
import { csvFormat, type CsvLine } from "./csv/lines.ts";
import { cellOf, mapLine } from "./csv/map-line.ts";
import { csvOptions } from "./csv/run.ts";
import { targets, type Columns } from "./csv/columns.ts";
import { fieldsById } from "./write/source-fields.ts";
import { inUploadTurn } from "./uploads.ts";

/** How much of a file is read for a preview, and how many cards it shows. */
const previewBytes = 1024 * 1024;
const previewCards = 10;

const text = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });

const moment = (description: string) =>
  Timestamp.nullable().meta({ description, examples: ["2026-02-16T08:00:00.000Z"] });

/** How a CSV file would be imported. */
const CsvPreview = z
  .object({
    delimiter: csvFormat.delimiter.unwrap().meta({ description: "What separates cells." }),
    encoding: csvFormat.encoding.unwrap().meta({ description: "The encoding of the text." }),
    columns: z
      .array(
        z
          .object({
            name: text("The name of the column.", "Status"),
            target: text(
              "What the column is read as; null when it is not imported.",
              "list",
            ).nullable(),
            examples: z.array(text("A value of the column.", "Doing")).meta({
              description: "The first values of the column.",
            }),
          })
          .meta({
            id: "CsvColumn",
            description: "A column of a CSV file, and what it is read as.",
          }),
      )
      .meta({ description: "The columns of the file, in order." }),
    cards: z
      .array(
        z
          .object({
            title: text("The title.", "Write the release notes"),
            description: text("The description.", "In Markdown").nullable(),
            list: text("The name of the list.", "Doing"),
            labels: z
              .array(text("The name of a label.", "Bug"))
              .meta({ description: "The names of the labels." }),
            members: z
              .array(text("The name of a person.", "Ada Lovelace"))
              .meta({ description: "The names of the assigned people." }),
            startDate: moment("When work starts."),
            dueDate: moment("When it is due."),
            completedAt: moment("When it was completed."),
            archivedAt: moment("When it was archived."),
            priority: text("The priority.", "high"),
            issues: z
              .array(text("What is not imported of the line.", "The dueDate is not a date."))
              .meta({ description: "What is not imported of the line." }),
          })
          .meta({
            id: "CsvCard",
            description: "A line of a CSV file, as the card that it becomes.",
          }),
      )
      .meta({ description: "The first lines, as the cards that they become." }),
  })
  .meta({ id: "CsvPreview", description: "How a CSV file would be imported." });

/** Shows how a CSV file would be imported. */
export const previewCsv = externalMutation("import.csvPreview", z.strictObject(csvOptions))
  .meta(
    rest("Imports").post(
      "/imports/csv/preview",
      "Preview a CSV import",
      "Shows how a CSV file would be imported: how its columns are read, and its first ten " +
        "cards. The body is the file, of which the first MiB is read; nothing is stored. Returns " +
        "400 if the file is not CSV or a named column is missing. Files are accepted over REST " +
        "only; tRPC returns 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(CsvPreview)
  .mutation(async ({ ctx: { requestBody, deps, caller }, input }) => {
    if (requestBody === undefined)
      throw failure("rest_only", "Upload over REST: POST the file to /api/v1/imports/csv/preview.");
    const { bytes, isCut } = await inUploadTurn(caller.userId, () => startOf(requestBody.bytes));
    if (bytes.length === 0) throw badRequest("file_empty", "The body is empty. Send the file.");
    async function* again() {
      yield bytes;
    }
    const { file, encoding, columns, fields } = await startReading(
      bytes,
      async () => again(),
      input,
    );
    const lines: CsvLine[] = [];
    try {
      for await (const line of file.lines) if (lines.push(line) >= previewCards) break;
    } catch (error) {
      // The start of a longer file ends anywhere.
      if (!isCut || lines.length === 0) throw error;
    }
    const now = deps.clock().toISOString();
    const custom = new CsvFields("", fields);
    for (const { cells } of lines) custom.take(cells);
    const mapping = {
      columns,
      custom,
      fields: fieldsById({ fields: custom.source(() => undefined) }),
      dateOrder: input.dateOrder,
      now,
    };
    const isReadable = columns.title !== undefined;
    return {
      delimiter: file.delimiter,
      encoding,
      columns: file.header.map((name, at) => ({
        name: name.slice(0, 500),
        target: targetAt(columns, fields, at),
        examples: lines.flatMap(({ cells }) => cells[at]?.slice(0, 200) || []).slice(0, 3),
      })),
      cards: isReadable ? lines.map((line) => cardOf(line, file.header.length, mapping)) : [],
    };
  });

function targetAt(columns: Columns, fields: FieldColumn[], at: number): string | null {
  const field = fields.find((customField) => customField.at === at);
  const target = targets.find((name) => columns[name] === at);
  return target ?? (field === undefined ? null : fieldColumn(field.name, field.type));
}

function cardOf({ line, cells }: CsvLine, width: number, mapping: Parameters<typeof mapLine>[1]) {
  const extra = cells.slice(width).filter((cell) => cell.trim() !== "").length;
  const staged = { id: String(line), listId: "", labelIds: [], line, cells, extra };
  const card = mapLine(staged, mapping, new Map());
  const { title, startDate, dueDate, completedAt, archivedAt } = card;
  return {
    title,
    startDate,
    dueDate,
    completedAt,
    archivedAt,
    priority: card.priority ?? "none",
    description: card.description?.slice(0, 1_000) ?? null,
    list: cellOf(cells, mapping.columns, "list").trim() || "No list",
    labels: namesIn(cellOf(cells, mapping.columns, "labels")),
    members: card.people.map(({ name }) => name),
    issues: card.issues.flatMap(({ kind, reason }) => (kind === "cardMember" ? [] : [reason])),
  };
}

/** The first bytes of a body. */
async function startOf(body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= previewBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, previewBytes), isCut: size >= previewBytes };
}
