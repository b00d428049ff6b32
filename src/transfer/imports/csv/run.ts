import { z } from "zod";
import type { Staging } from "../../../platform/storage/staging.ts";
import { nameOf } from "../../../platform/foreign-text.ts";
import { ImportFailure } from "../job/failure.ts";
import { source } from "../job/sources.ts";
import { limitedName, type Skip } from "../write/limits.ts";
import { sourceList } from "../write/source-parts.ts";
import { timesOf, type SourceLabel, type SourceList } from "../write/source.ts";
import { fieldsById } from "../write/source-custom-fields.ts";
import { importBoard, type StagedCard } from "../write/staged-board.ts";
import { isNothing } from "./cells.ts";
import { completionOf } from "./completion.ts";
import { CsvCustomFields, FieldTypes } from "./custom-fields.ts";
import { DateFacts } from "./date-facts.ts";
import type { DateOrder } from "./dates.ts";
import { maxLines } from "./examine.ts";
import { idOf } from "./ids.ts";
import { LineCells } from "./line-cells.ts";
import { linkTargets } from "./link-targets.ts";
import { Links } from "./links.ts";
import { encodingOf, type CsvLine } from "./lines.ts";
import {
  labelNames,
  mapLine,
  maxNames,
  readingOf,
  StagedLine,
  type LineMapping,
} from "./map-line.ts";
import type { Profile } from "./profile.ts";
import { profileOf } from "./profiles.ts";
import { csvOptions, openTable, type CsvTable } from "./table.ts";

/** A stored file, how it is read, and the name of its board. */
const CsvSource = z.object({
  storageKey: z.string(),
  boardName: z.string(),
  ...csvOptions,
  fields: FieldTypes.optional(),
});

const maxLabels = 10_000;
const maxPeople = 20_000;
const progressEvery = 500;

/** Imports the lines of a file as the cards of one board. */
export const csv = source(CsvSource, async (context, { storageKey, boardName, ...options }) => {
  const open = () => context.deps.files.get(storageKey);
  const encoding = options.encoding ?? (await encodingOf(await open()));
  const table = await openTable(await open(), { ...options, encoding }, context.signal);
  await importBoard(context, async (staging) => {
    const board = new CsvBoard(context, staging, boardName, table);
    const filled = new Set<number>();
    for await (const line of table.lines) {
      for (const [at, cell] of line.cells.entries()) if (!isNothing(cell)) filled.add(at);
      board.take(line);
      if (board.count > maxLines)
        throw new ImportFailure(`The file has more than ${maxLines.toLocaleString("en")} cards.`);
      await staging.flush();
      if (board.count % progressEvery !== 0) continue;
      context.progress("reading", board.count);
      await context.checkAlive();
    }
    const read = readColumns(table);
    for (const [at, name] of table.header.entries())
      if (filled.has(at) && !read.has(at))
        context.skip({
          kind: "column",
          sourceId: name,
          name,
          reason: "The column is not imported.",
        });
    const sourceBoard = board.source();
    const mapping = board.mapping({
      customFields: fieldsById(sourceBoard),
      dateOrder: options.dateOrder,
      now: context.deps.clock().toISOString(),
    });
    return {
      board: sourceBoard,
      lists: [...board.cards.values()],
      toCard: ([line], members) => mapLine(StagedLine.parse(line), mapping, members),
    };
  });
});

/** The columns of which something is imported. */
export const readColumns = ({ columns, fields, offset, people }: CsvTable): Set<number> =>
  new Set([
    ...Object.values(columns).flat(),
    ...fields.map(({ at }) => at),
    ...((offset ?? -1) >= 0 ? [offset ?? -1] : []),
    ...people.map(([, id]) => id),
  ]);

/** Collects the cards, lists and labels of a file. */
export class CsvBoard {
  /** The cards of each list in their order. */
  readonly cards = new Map<string, StagedCard[]>();
  readonly fields: CsvCustomFields;
  count = 0;
  readonly #skip: Skip;
  readonly #staging: Pick<Staging, "put">;
  readonly #name: string;
  readonly #id: string;
  readonly #table: CsvTable;
  readonly #profile: Profile;
  readonly #facts: DateFacts;
  readonly #links = new Links();
  readonly #people = new Map<string, string>();
  readonly #lists = new Map<string, SourceList>();
  readonly #labels = new Map<string, SourceLabel>();
  readonly #seen = new Map<string, number>();

  constructor(
    { skip }: { skip: Skip },
    staging: Pick<Staging, "put">,
    name: string,
    table: CsvTable,
  ) {
    this.#skip = skip;
    this.#staging = staging;
    this.#name = name;
    this.#id = idOf("board", name.toLowerCase());
    this.#table = table;
    this.#profile = profileOf(table.profile);
    this.#facts = new DateFacts(table);
    this.fields = new CsvCustomFields(this.#id, table.fields);
  }

  /** Stages a line, and adds its list and labels. */
  take({ line, cells: all }: CsvLine): StagedLine {
    this.count += 1;
    const width = this.#table.header.length;
    const extra = all.slice(width).filter((cell) => cell.trim() !== "").length;
    const own = all.slice(0, width);
    const cells = new LineCells(own, this.#table.columns);
    const listId = this.#listOf(cells.text("list"));
    const labels = labelNames(cells, this.#profile).slice(0, maxNames);
    const labelIds = labels.flatMap((name) => this.#labelOf(name));
    this.fields.take(own);
    this.#facts.take(own);
    this.#takePeople(own);
    const id = this.#cardId(cells);
    this.#takeLinks(id, cells, own);
    const staged = { id, listId, labelIds, line, cells: own, extra };
    this.cards.get(listId)?.push({ id, values: [this.#staging.put(staged)] });
    return staged;
  }

  /** How the lines become cards, when all of them are taken. */
  mapping(given: Pick<LineMapping, "customFields" | "dateOrder" | "now">): LineMapping {
    const { header, profile, columns, fields, offset, people } = this.#table;
    return {
      header,
      profile,
      columns,
      fields,
      offset,
      people,
      ...given,
      custom: this.fields,
      links: this.#links,
      names: this.#people,
      dateOrder: given.dateOrder ?? this.#facts.order,
    };
  }

  /** The order of day and month that the lines prove. */
  get dateOrder(): DateOrder | undefined {
    return this.#facts.order;
  }

  #takePeople(cells: string[]): void {
    for (const [name, id] of this.#table.people) {
      const key = (cells[id] ?? "").trim();
      const text = (cells[name] ?? "").trim();
      if (key !== "" && text !== "" && this.#people.size < maxPeople) this.#people.set(key, text);
    }
  }

  #takeLinks(id: string, cells: LineCells, own: string[]): void {
    const { columns } = this.#table;
    if (["parent" as const, ...linkTargets].every((target) => columns[target] === undefined))
      return;
    const dates = readingOf(own, { dateOrder: this.#facts.order, offset: this.#table.offset });
    const keys = [...cells.all("id"), ...cells.all("key")];
    const parents = cells.values("parent").map(({ cell }) => cell);
    const completed = completionOf(cells, this.#profile, dates);
    const links = linkTargets.flatMap((kind) =>
      cells.values(kind).map(({ cell }) => ({ kind, cell })),
    );
    this.#links.take({ id, title: cells.text("title"), keys, parents, links, completed });
  }

  source() {
    const skip = this.#skip;
    const board = { id: this.#id, name: this.#name };
    return {
      publicId: this.#id,
      name: limitedName("board", board, 255, "Imported cards", skip),
      description: null,
      archivedAt: null,
      ...timesOf(),
      lists: [...this.#lists.values()],
      labels: [...this.#labels.values()],
      fields: this.fields.source(skip),
    };
  }

  /** A card is found again by its id, else by its title: equal titles are counted. */
  #cardId(cells: LineCells): string {
    const sourceId = nameOf(cells.text("id"));
    const title = cells.text("title");
    const key = sourceId === null ? idOf(this.#id, "title", title) : idOf(this.#id, "id", sourceId);
    const nth = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, nth);
    return nth === 1 ? key : idOf(key, String(nth));
  }

  #listOf(cell: string): string {
    const name = nameOf(cell) ?? "No list";
    const sourceId = idOf(this.#id, "list", name);
    if (!this.#lists.has(sourceId)) {
      this.#lists.set(sourceId, sourceList({ id: sourceId, name }, this.#skip));
      this.cards.set(sourceId, []);
    }
    return sourceId;
  }

  #labelOf(name: string): string[] {
    const sourceId = idOf(this.#id, "label", name);
    if (!this.#labels.has(sourceId)) {
      if (this.#labels.size >= maxLabels) return [];
      const full = { id: sourceId, name };
      const labelName = limitedName("label", full, 36, "", this.#skip);
      this.#labels.set(sourceId, { publicId: sourceId, name: labelName, colourCode: null });
    }
    return [sourceId];
  }
}
