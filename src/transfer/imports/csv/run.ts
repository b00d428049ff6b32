import { z } from "zod";
import { minFreeBytes } from "../../../platform/storage/free-space.ts";
import { Staging } from "../../../platform/storage/staging.ts";
import { nameOf } from "../../../platform/foreign-text.ts";
import { namesIn } from "../../format/csv-cells.ts";
import type { ImportContext } from "../job/context.ts";
import { ImportFailure } from "../job/failure.ts";
import { source } from "../job/sources.ts";
import { limitedName } from "../write/limits.ts";
import type { SourceLabel, SourceList } from "../write/model.ts";
import { fieldsById } from "../write/source-fields.ts";
import { writeStagedBoard, type StagedCard } from "../write/staged-board.ts";
import { columnOptions, columnsIn, type Columns } from "./columns.ts";
import { CsvFields, FieldTypes, FieldTypesText, type FieldColumn } from "./fields.ts";
import { encodingOf, openCsv, csvFormat, type CsvLine } from "./lines.ts";
import { cellOf, mapLine, maxNames, StagedLine } from "./map-line.ts";
import { idOf } from "./values.ts";

/** How a file is read. */
export const csvOptions = {
  ...csvFormat,
  dateOrder: z
    .enum(["dmy", "mdy"])
    .meta({
      id: "DateOrder",
      description: "Whether the day or the month comes first in dates.",
    })
    .optional()
    .meta({
      description: "Whether the day or the month comes first in dates such as 3/4/2026.",
      examples: ["dmy"],
    }),
  ...columnOptions,
  fields: FieldTypesText,
};

/** A stored file, how it is read, and the name of its board. */
const CsvSource = z.object({
  storageKey: z.string(),
  boardName: z.string(),
  ...csvOptions,
  fields: FieldTypes.optional(),
});

const maxLines = 100_000;
const maxLabels = 10_000;
const progressEvery = 500;

/** Imports the lines of a file as the cards of one board. */
export const csv = source(CsvSource, async (context, { storageKey, boardName, ...options }) => {
  context.progress("reading", 0);
  const open = () => context.deps.files.get(storageKey);
  const encoding = options.encoding ?? (await encodingOf(await open()));
  const file = await openCsv(await open(), { ...options, encoding }, context.signal);
  const { columns, fields } = columnsIn(file.header, options);
  await Staging.lend(minFreeBytes(context.deps.config), async (staging) => {
    const board = new CsvBoard(context, staging, boardName, columns, fields);
    const filled = new Set<number>();
    for await (const line of file.lines) {
      for (const [at, cell] of line.cells.entries()) if (cell.trim() !== "") filled.add(at);
      board.take(line, file.header.length);
      if (board.count > maxLines)
        throw new ImportFailure(`The file has more than ${maxLines.toLocaleString("en")} cards.`);
      await staging.flushIfLarge();
      if (board.count % progressEvery !== 0) continue;
      context.progress("reading", board.count);
      await context.checkAlive();
    }
    await staging.flush();
    const readColumns = new Set([...Object.values(columns), ...fields.map(({ at }) => at)]);
    for (const [at, name] of file.header.entries())
      if (filled.has(at) && !readColumns.has(at))
        context.skip({
          kind: "column",
          sourceId: name,
          name,
          reason: "The column is not imported.",
        });
    const now = context.deps.clock().toISOString();
    const sourceBoard = board.source();
    const mapping = {
      columns,
      custom: board.fields,
      fields: fieldsById(sourceBoard),
      dateOrder: options.dateOrder,
      now,
    };
    await writeStagedBoard(context, staging, {
      board: sourceBoard,
      lists: [...board.cards.values()],
      toCard: (staged, mapped) => mapLine(StagedLine.parse(staged), mapping, mapped),
    });
  });
});

/** Collects the cards, lists and labels of a file. */
class CsvBoard {
  /** The cards of each list in their order. */
  readonly cards = new Map<string, StagedCard[]>();
  readonly fields: CsvFields;
  count = 0;
  readonly #context: ImportContext;
  readonly #staging: Staging;
  readonly #name: string;
  readonly #id: string;
  readonly #columns: Columns;
  readonly #lists = new Map<string, SourceList>();
  readonly #labels = new Map<string, SourceLabel>();
  readonly #seen = new Map<string, number>();

  constructor(
    context: ImportContext,
    staging: Staging,
    name: string,
    columns: Columns,
    fields: FieldColumn[],
  ) {
    this.#context = context;
    this.#staging = staging;
    this.#name = name;
    this.#id = idOf("board", name.toLowerCase());
    this.#columns = columns;
    this.fields = new CsvFields(this.#id, fields);
  }

  /** Stages a line, and adds its list and labels. */
  take({ line, cells }: CsvLine, width: number): void {
    this.count += 1;
    const listId = this.#listOf(cellOf(cells, this.#columns, "list"));
    const extra = cells.slice(width).filter((cell) => cell.trim() !== "").length;
    const labels = namesIn(cellOf(cells, this.#columns, "labels")).slice(0, maxNames);
    const labelIds = labels.flatMap((name) => this.#labelOf(name));
    this.fields.take(cells);
    const id = this.#cardId(cells);
    const staged = { id, listId, labelIds, line, cells: cells.slice(0, width), extra };
    this.cards.get(listId)?.push({ id, at: this.#staging.put(staged) });
  }

  source() {
    const { skip } = this.#context;
    const board = { id: this.#id, name: this.#name };
    return {
      sourceId: this.#id,
      name: limitedName("board", board, 255, "Imported cards", skip),
      description: null,
      archivedAt: null,
      lists: [...this.#lists.values()],
      labels: [...this.#labels.values()],
      fields: this.fields.source(skip),
    };
  }

  /** A card is found again by its id, else by its title: equal titles are counted. */
  #cardId(cells: string[]): string {
    const sourceId = nameOf(cellOf(cells, this.#columns, "id"));
    const title = cellOf(cells, this.#columns, "title");
    const key = sourceId === null ? idOf(this.#id, "title", title) : idOf(this.#id, "id", sourceId);
    const nth = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, nth);
    return nth === 1 ? key : idOf(key, String(nth));
  }

  #listOf(cell: string): string {
    const name = nameOf(cell) ?? "No list";
    const sourceId = idOf(this.#id, "list", name);
    if (!this.#lists.has(sourceId)) {
      const full = { id: sourceId, name };
      const listName = limitedName("list", full, 255, "", this.#context.skip);
      this.#lists.set(sourceId, { sourceId, name: listName, archivedAt: null });
      this.cards.set(sourceId, []);
    }
    return sourceId;
  }

  #labelOf(name: string): string[] {
    const sourceId = idOf(this.#id, "label", name);
    if (!this.#labels.has(sourceId)) {
      if (this.#labels.size >= maxLabels) return [];
      const full = { id: sourceId, name };
      const labelName = limitedName("label", full, 36, "", this.#context.skip);
      this.#labels.set(sourceId, { sourceId, name: labelName, colourCode: null });
    }
    return [sourceId];
  }
}
