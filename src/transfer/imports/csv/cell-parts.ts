import type { Attachment, Comment, Item } from "../write/source-parts.ts";
import { isFinished, isNothing, jsonIn, flagIn } from "./cells.ts";
import { asMoment, datesIn, type DateReading } from "./dates.ts";
import { idOf } from "./ids.ts";
import type { CommentStyle } from "./profile.ts";

/** The most comments, files or items in one cell. */
const maxParts = 1_000;

/** How cells with parts are read. */
export type PartReading = {
  /** The id of the card. */
  id: string;
  dates: DateReading;
  /** The name of a person by the id that comments have; undefined for an unknown one. */
  nameOf: (id: string) => string | undefined;
};

type Said = { text: string; by?: string | undefined; date?: string | undefined };

const isCount = (cell: string) => /^\s*\d{1,9}\s*$/.test(cell);

/** The parts that JSON in a cell has; undefined for other cells. */
function objectsIn(cell: string): Record<string, unknown>[] | undefined {
  const value = jsonIn(cell);
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, maxParts)
    .map((item: unknown) =>
      typeof item === "object" && item !== null ? { ...item } : { text: item },
    );
}

const personName = /^(?:username|name|display_name|email)$/;

/** The first of some properties that is a text. */
function textIn(of: Record<string, unknown>, names: string): string | undefined {
  for (const name of names.split(" ")) {
    const value = of[name];
    if (typeof value === "string" || typeof value === "number") return String(value);
    if (typeof value === "object" && value !== null) {
      const named = Object.entries(value).find(([key]) => personName.test(key));
      if (typeof named?.[1] === "string") return named[1];
    }
  }
  return undefined;
}

/** The comments in cells, each with what the program writes of its time and author. */
export function commentsIn(
  cells: string[],
  style: CommentStyle,
  { id, dates, nameOf }: PartReading,
): Comment[] {
  const counts = new Map<string, number>();
  return cells
    .filter((cell) => !isNothing(cell) && !isCount(cell))
    .flatMap((cell) => saidIn(cell, style, dates))
    .map(({ text, by, date }): Comment => {
      const key = idOf(id, "comment", text, date ?? "");
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const author = by === undefined || by.trim() === "" ? null : by.trim().slice(0, 255);
      const name = author === null ? null : (nameOf(author) ?? author.replace(/ \(\d+\)$/, ""));
      return {
        id: nth === 1 ? key : idOf(key, String(nth)),
        text,
        createdAt: momentIn(date, dates),
        authorId: name?.toLowerCase() ?? null,
        authorName: name,
      };
    });
}

function momentIn(cell: string | undefined, dates: DateReading): string | null {
  const read = datesIn(cell ?? "", dates);
  return read === null || typeof read === "string" ? null : asMoment(read.end);
}

function saidIn(cell: string, style: CommentStyle, dates: DateReading): Said[] {
  const objects = objectsIn(cell);
  if (objects !== undefined)
    return objects.map((of) => ({
      text: textIn(of, "text comment comment_text content body") ?? "",
      by: textIn(of, "by user author created_by creator username"),
      date: textIn(of, "date created_at createdAt created time"),
    }));
  if (style === "jira") {
    const [first = "", by = ""] = cell.slice(0, 400).split(";", 2);
    const at = first.length + by.length + 2;
    const isDated = isDate(first, dates) && cell[at - 1] === ";";
    if (isDated) return [{ text: cell.slice(at), by, date: first }];
  }
  if (style === "pivotal") {
    const at = cell.trimEnd().endsWith(")") ? cell.lastIndexOf(" (") : -1;
    const inner = cell
      .slice(at + 2)
      .trimEnd()
      .slice(0, -1);
    const dash = inner.lastIndexOf(" - ");
    const date = inner.slice(dash + 3);
    if (at !== -1 && dash !== -1 && inner.length < 400 && isDate(date, dates))
      return [{ text: cell.slice(0, at), by: inner.slice(0, dash), date }];
  }
  return [{ text: cell }];
}

function isDate(cell: string, dates: DateReading): boolean {
  const read = datesIn(cell, dates);
  return read === "unclear" || (typeof read === "object" && read !== null);
}

const link = /https?:\/\/[^\s,;"'<>|\]]{1,2000}/gi;

/** The files and links in cells. */
export function attachmentsIn(cells: string[], { id, dates }: PartReading): Attachment[] {
  const parts = cells
    .filter((cell) => !isNothing(cell) && !isCount(cell))
    .flatMap((cell): { name?: string | undefined; url: string; date?: string | undefined }[] => {
      const objects = objectsIn(cell);
      if (objects !== undefined)
        return objects.map((of) => ({
          name: textIn(of, "title name filename fileName"),
          url: textIn(of, "url link text") ?? "",
        }));
      const [date = "", , name = "", ...rest] = cell.split(";", 50);
      const url = rest.join(";");
      // Jira writes the time, the author, the name and the address of a file.
      if (/^https?:/i.test(url.trim()) && isDate(date, dates))
        return [{ name, url: url.trim(), date }];
      const links = [...cell.matchAll(link)].slice(0, maxParts).map(([found]) => ({ url: found }));
      return links.length > 0 ? links : [{ url: cell.trim(), name: cell.trim().slice(0, 200) }];
    });
  const unique = new Map(parts.map((part) => [`${part.url}\n${part.name ?? ""}`, part]));
  return [...unique.values()].map(({ name, url, date }) => ({
    id: idOf(id, "attachment", url, name ?? ""),
    name: name ?? null,
    url,
    createdAt: momentIn(date, dates),
    isUpload: false,
    fileName: null,
  }));
}

type Task = { text: string; isDone: boolean };

/** The checklists in cells; `states` say whether the item in the cell beside them is complete. */
export function checklistsIn(cells: string[], states: string[], { id }: PartReading) {
  const byName = new Map<string, Task[]>();
  const add = (name: string, tasks: Task[]) =>
    byName.set(name, [...(byName.get(name) ?? []), ...tasks]);
  for (const [at, cell] of cells.entries()) {
    if (isNothing(cell) || isCount(cell)) continue;
    const state = states[at];
    if (state === undefined) for (const [name, tasks] of tasksIn(cell)) add(name, tasks);
    else add("Checklist", [{ text: cell, isDone: isDone(state) }]);
  }
  return [...byName].map(([name, tasks], nth) => {
    const checklist = idOf(id, "checklist", name, String(nth));
    const items = tasks.map(({ text, isDone: is }, place): Item => ({
      id: idOf(checklist, "item", text, String(place)),
      name: text,
      isComplete: is,
      completedAt: null,
      dueDate: null,
      assignee: null,
    }));
    return { id: checklist, name, items };
  });
}

const isDone = (state: string) => flagIn(state) === true || isFinished(state);

/** The checklists of a cell by their names. */
function tasksIn(cell: string): [string, Task[]][] {
  const value = jsonIn(cell);
  if (Array.isArray(value)) {
    const objects = objectsIn(cell) ?? [];
    const lists = objects.filter((of) => Array.isArray(of["items"]));
    if (lists.length === 0) return [["Checklist", objects.map(taskOf)]];
    return lists.map((of) => [textIn(of, "name title") ?? "Checklist", tasksOf(of["items"])]);
  }
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .slice(0, maxParts)
      .map(([name, items]) => [name, tasksOf(items)]);
  const texts = cell.split(/[;\n]/).slice(0, maxParts);
  return [
    [
      "Checklist",
      texts
        .map((text) => text.trim())
        .filter(Boolean)
        .map(markedTask),
    ],
  ];
}

const tasksOf = (items: unknown): Task[] =>
  (objectsIn(JSON.stringify(Array.isArray(items) ? items : [items])) ?? []).map(taskOf);

const taskOf = (of: Record<string, unknown>): Task => {
  const state = of["resolved"] ?? of["checked"] ?? of["done"] ?? of["completed"] ?? of["state"];
  const { text, isDone: is } = markedTask(textIn(of, "name text title content") ?? "");
  return { text, isDone: is || state === true || (typeof state === "string" && isDone(state)) };
};

/** `[x] text` is complete. */
function markedTask(text: string): Task {
  const [mark = ""] = /^(?:[-*] )?(?:\[[ xX]?\]|✓|✔|☑|☐) ?/.exec(text) ?? [];
  return { text: text.slice(mark.length), isDone: /[xX✓✔☑]/.test(mark) };
}
