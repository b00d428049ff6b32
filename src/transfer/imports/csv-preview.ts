import { allDay, IsDueAllDay } from "../../contract/fields/shared.ts";
import { z } from "zod";
import { Timestamp } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest, failure } from "../../platform/errors.ts";
import type { SourceCard } from "./write/source.ts";
import { fieldColumn } from "../../domain/parts/custom-field-columns.ts";
import { startReading } from "./csv/examine.ts";
import { From, type FoundColumns } from "./csv/columns.ts";
import { csvFormat } from "./csv/lines.ts";
import { linkTargets } from "./csv/link-targets.ts";
import { mapLine, type StagedLine } from "./csv/map-line.ts";
import { profileOf } from "./csv/profiles.ts";
import { CsvBoard } from "./csv/run.ts";
import { csvOptions } from "./csv/table.ts";
import { targets } from "./csv/targets.ts";
import { fieldsById } from "./write/source-custom-fields.ts";
import { inUploadTurn } from "./uploads.ts";

/** How much of a file is read for a preview, and how many cards it shows. */
const previewBytes = 1024 * 1024;
const previewCards = 10;

/** A line that nobody reads again is not staged. */
const nothing = { at: 0, length: 0 };

const text = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] });

const moment = (description: string) =>
  Timestamp.nullable().meta({ description, examples: ["2026-02-16T08:00:00.000Z"] });

/** How a CSV file would be imported. */
const CsvPreview = z
  .object({
    from: From.meta({ description: "The program whose columns they are.", examples: ["jira"] }),
    program: text("The name of this program.", "Jira"),
    dateOrder: csvOptions.dateOrder
      .unwrap()
      .nullable()
      .meta({
        description:
          "Whether the day or the month comes first, if the option or a date of the first MiB " +
          "says so.",
        examples: ["dmy"],
      }),
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
            isStartAllDay: allDay("startDate"),
            dueDate: moment("When it is due."),
            isDueAllDay: IsDueAllDay,
            completedAt: moment("When it was completed."),
            archivedAt: moment("When it was archived."),
            priority: text("The priority.", "high"),
            comments: z
              .array(text("The start of a comment.", "Looks good"))
              .meta({ description: "The starts of the first comments." }),
            checklistItems: z
              .array(text("The title of an item.", "Call the printer"))
              .meta({ description: "The first items of checklists." }),
            relations: z
              .array(text("What the card is to another one.", "parent: Call the printer"))
              .meta({ description: "What the card is to others of the file: a kind and a title." }),
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
        "cards, and which program it takes them from. The body is the file, of which the first " +
        "MiB is read; nothing is stored. Returns " +
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
    const { table, encoding } = await startReading(bytes, async () => again(), input);
    const board = new CsvBoard({ skip: () => undefined }, { put: () => nothing }, "", table);
    const first: StagedLine[] = [];
    try {
      for await (const line of table.lines) {
        const staged = board.take(line);
        if (first.length < previewCards) first.push(staged);
      }
    } catch (error) {
      // The start of a longer file ends anywhere.
      if (!isCut || first.length === 0) throw error;
    }
    const source = board.source();
    const mapping = board.mapping({
      customFields: fieldsById(source),
      dateOrder: input.dateOrder,
      now: deps.clock().toISOString(),
    });
    const names = {
      lists: new Map(source.lists.map(({ publicId, name }) => [publicId, name])),
      labels: new Map(source.labels.map(({ publicId, name }) => [publicId, name])),
    };
    return {
      from: table.profile,
      program: profileOf(table.profile).program,
      dateOrder: mapping.dateOrder ?? null,
      delimiter: table.delimiter,
      encoding,
      columns: table.header.map((name, at) => ({
        name: name.slice(0, 500),
        target: targetAt(table, at),
        examples: first.flatMap(({ cells }) => cells[at]?.slice(0, 200) || []).slice(0, 3),
      })),
      cards:
        table.columns.title === undefined
          ? []
          : first.map((line) => {
              const card = mapLine(line, mapping, new Map());
              const relations = (card.relations ?? []).slice(0, 20);
              const shown = relations.map(
                ({ kind, cardPublicId }) => `${kind}: ${mapping.links.titleOf(cardPublicId)}`,
              );
              return { ...cardOf(line, card, names), relations: shown };
            }),
    };
  });

/** What a column is read as. */
function targetAt({ columns, fields }: FoundColumns, at: number): string | null {
  const has = (places: number[] | undefined) => places?.includes(at) === true;
  const target = targets.find((name) => has(columns[name]));
  if (target !== undefined) return target;
  const field = fields.find((customField) => customField.at === at);
  if (field !== undefined) return fieldColumn(field.name, field.type);
  if (has(columns.state)) return "completedAt";
  if (has(columns.checked)) return "checklist";
  const link = linkTargets.find((name) => has(columns[name]));
  if (link !== undefined) return link;
  return has(columns.key) ? "id" : null;
}

/** The names of lists and labels by their ids. */
type Names = Record<"lists" | "labels", ReadonlyMap<string, string>>;

function cardOf({ listId, labelIds }: StagedLine, card: SourceCard, { lists, labels }: Names) {
  const { title, startDate, dueDate, completedAt, archivedAt } = card;
  return {
    title,
    startDate,
    isStartAllDay: card.isStartAllDay ?? false,
    dueDate,
    isDueAllDay: card.isDueAllDay ?? false,
    completedAt,
    archivedAt,
    priority: card.priority ?? "none",
    description: card.description?.slice(0, 1_000) ?? null,
    list: lists.get(listId) ?? "",
    labels: labelIds.flatMap((id) => labels.get(id) ?? []),
    members: card.people.map(({ name }) => name),
    comments: card.comments.map(({ comment }) => comment.slice(0, 200)).slice(0, 10),
    checklistItems: card.checklists
      .flatMap(({ items }) => items.map((item) => item.title))
      .slice(0, 20),
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
