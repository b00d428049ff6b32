import type { CsvLine } from "./lines.ts";
import { bare, type Profile } from "./profile.ts";

/** A table of which each line is a card: what other lines said is in columns that were added. */
export type Table = { header: string[]; lines: AsyncIterable<CsvLine> };

/** The lines before the header, and the table. */
type RawTable = Table & { before: CsvLine[] };

/** Reads the table of a program whose cards have several lines, or lines of their own kind. */
export function tableOf(raw: RawTable, { rows }: Profile): Table {
  if (rows === "todoist") return todoistTable(raw);
  return rows === "monday" ? mondayTable(raw) : raw;
}

/** The most notes and subitems of a card that are kept together. */
const maxParts = 1_000;

/**
 * Todoist: a line is a task, a section or a note of the task before it. Labels are in the titles,
 * and tasks are below others by their indent.
 */
function todoistTable({ header, lines }: RawTable): Table {
  const names = header.map(bare);
  const at = (name: string) => names.indexOf(name);
  const [type, content, author, date] = [at("type"), at("content"), at("author"), at("date")];
  const indent = at("indent");
  async function* tasks(): AsyncGenerator<CsvLine> {
    const parents: string[] = [];
    let [section, nth] = ["", 0];
    let task: CsvLine | undefined;
    let notes: object[] = [];
    const finished = () => {
      task?.cells.splice(header.length + 1, 1, notes.length === 0 ? "" : JSON.stringify(notes));
      return task === undefined ? [] : [task];
    };
    for await (const { line, cells } of lines) {
      const kind = (cells[type] ?? "").trim().toLowerCase();
      const text = cells[content] ?? "";
      if (kind === "section") section = text;
      else if (kind === "note" && task !== undefined && notes.length < maxParts)
        notes.push({ text, by: cells[author] ?? "", date: cells[date] ?? "" });
      if (kind !== "task") continue;
      yield* finished();
      notes = [];
      const level = Math.max(1, Math.min(100, Number(cells[indent]) || 1));
      const row = `row ${++nth}`;
      parents.length = level;
      parents[level] = row;
      const { title, labels } = withoutLabels(text);
      const own = header.map((_, place) => (place === content ? title : (cells[place] ?? "")));
      const parent = parents.slice(0, level).findLast(Boolean) ?? "";
      task = { line, cells: [...own, section, "", labels, row, parent] };
    }
    yield* finished();
  }
  return { header: [...header, "Section", "Notes", "Labels", "Row", "Parent row"], lines: tasks() };
}

/** A title of Todoist without its labels, `@home` and so on. */
function withoutLabels(content: string): { title: string; labels: string } {
  const isLabel = (word: string) => /^@[^\s@]+$/.test(word);
  const words = content.split(" ");
  const labels = words.filter(isLabel).map((word) => word.slice(1));
  const title = words
    .filter((word) => !isLabel(word))
    .join(" ")
    .trim();
  return { title: title || content, labels: labels.join("; ") };
}

/**
 * monday.com: each group has a line with its name, and its header again. Items may have lines of
 * subitems below them, with a header of their own.
 */
function mondayTable({ header, before, lines }: RawTable): Table {
  const names = header.map(bare).join("\n");
  const single = ({ cells }: CsvLine) =>
    cells.length > 0 && cells.every((cell, at) => (at === 0) === (cell.trim() !== ""));
  async function* items(): AsyncGenerator<CsvLine> {
    let group = before.findLast(single)?.cells[0] ?? "";
    let subitems: string[] | null = null;
    let item: CsvLine | undefined;
    let parts: object[] = [];
    const finished = () => {
      item?.cells.splice(header.length + 1, 1, parts.length === 0 ? "" : JSON.stringify(parts));
      const done = item === undefined ? [] : [item];
      [item, parts] = [undefined, []];
      return done;
    };
    for await (const { line, cells } of lines) {
      if (cells.map(bare).join("\n").startsWith(names)) {
        // What looked like the last item was the name of this group.
        if (item !== undefined && single({ line, cells: item.cells.slice(0, header.length) })) {
          group = item.cells[0] ?? "";
          item = undefined;
        }
        subitems = null;
        yield* finished();
      } else if (bare(cells[0] ?? "") === "subitems" && bare(cells[1] ?? "") === "name") {
        subitems = cells.map(bare);
      } else if (
        subitems !== null &&
        (cells[0] ?? "").trim() === "" &&
        (cells[1] ?? "").trim() !== ""
      ) {
        const state = subitems.findIndex((name) => /status|done/.test(name));
        if (parts.length < maxParts) parts.push({ name: cells[1], state: cells[state] ?? "" });
      } else if ((cells[0] ?? "").trim() !== "") {
        yield* finished();
        subitems = null;
        item = { line, cells: [...header.map((_, at) => cells[at] ?? ""), group, ""] };
      }
    }
    yield* finished();
  }
  const hasGroup = header.some((name) => bare(name) === "group");
  return {
    header: [...header, hasGroup ? "Group title" : "Group", "Subitem rows"],
    lines: items(),
  };
}
