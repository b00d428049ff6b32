import { maxParents } from "../../../contract/vocabulary/relation-kinds.ts";
import { getOrInsert } from "../../../platform/maps.ts";
import type { Item } from "../write/source-parts.ts";
import {
  SourceRelations,
  toItself,
  tooManyRelations,
  type SourceRelation,
} from "../write/source-relations.ts";
import { isNothing } from "./cells.ts";
import { idOf } from "./ids.ts";
import type { LinkTarget } from "./link-targets.ts";

/** What of a line its relatives need, and what names these. */
type LinkedLine = {
  id: string;
  title: string;
  /** Its ids, by which others may name it. */
  keys: string[];
  /** What its cells say of the parent. */
  parents: string[];
  links: { kind: LinkTarget; cell: string }[];
  completed: { is: boolean; at: string | null };
};

/** A link that could not be made, and what the cell says. */
type Problem = { reason: string; detail: string };

const maxKey = 500;
const keyOf = (text: string) =>
  text
    .trim()
    .replace(/^#(?=\d)/, "")
    .toLowerCase()
    .slice(0, maxKey);

/** All of a cell, and without the address that Notion adds. */
function wholes(cell: string): string[] {
  const text = cell.trim().slice(0, 4 * maxKey);
  const at = text.indexOf(" (http");
  return [text, at > 0 ? text.slice(0, at) : text].map(keyOf).filter(Boolean);
}

/** What a cell may mean: all of it, or its first word. */
function meanings(cell: string): string[] {
  const names = wholes(cell);
  return [...names, keyOf(names.at(-1)?.split(/[\s:,]/, 1)[0] ?? "")].filter(Boolean);
}

/** The most names in a cell, and the most commas in one of them. */
const [maxNames, maxCommas] = [100, 8];

type Resolved = {
  relations: SourceRelations;
  items: Map<string, Item[]>;
  problems: Map<string, Problem[]>;
};

/**
 * What the lines of a file say of each other. A child of a card is related to it; where that cannot
 * be, because there would be too many parents or relations, it is an item of a checklist there.
 */
export class Links {
  readonly #ids = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  readonly #lines: LinkedLine[] = [];
  #resolved: Resolved | undefined;

  take(line: LinkedLine): void {
    for (const key of line.keys)
      if (!isNothing(key)) this.#setFirst(this.#ids, keyOf(key), line.id);
    this.#setFirst(this.#titles, keyOf(line.title), line.id);
    this.#shown.set(line.id, line.title.slice(0, maxKey));
    if (line.parents.length > 0 || line.links.length > 0)
      this.#lines.push({ ...line, title: line.title.slice(0, maxKey), keys: [] });
  }

  #setFirst(to: Map<string, string>, key: string, id: string) {
    if (key !== "" && !to.has(key)) to.set(key, id);
  }

  /** The relations of a card, when all lines are taken. */
  relationsOf(id: string): SourceRelation[] {
    return this.#all().relations.of(id);
  }

  /** The title of a card. */
  titleOf(id: string): string {
    return this.#shown.get(id) ?? "";
  }

  /** The checklist with the children of a card that are not related to it; none without such. */
  checklistsOf(id: string): { id: string; name: string; items: Item[] }[] {
    const items = this.#all().items.get(id) ?? [];
    return items.length === 0 ? [] : [{ id: idOf(id, "subtasks"), name: "Subtasks", items }];
  }

  /** What a card says of others that could not be made. */
  problemsOf(id: string): Problem[] {
    return this.#all().problems.get(id) ?? [];
  }

  #all(): Resolved {
    if (this.#resolved !== undefined) return this.#resolved;
    const resolved = { relations: new SourceRelations(), items: new Map(), problems: new Map() };
    this.#resolved = resolved;
    this.#addParents(resolved);
    for (const { id, links } of this.#lines)
      for (const { kind, cell } of links) this.#addLinks(resolved, id, kind, cell);
    return resolved;
  }

  #addParents(resolved: Resolved): void {
    const parentOf = new Map<string, string>();
    for (const { id, parents } of this.#lines) {
      if (parents.length === 0) continue;
      const parent = this.#find(parents.flatMap(meanings));
      const detail = (parents[0] ?? "").slice(0, maxKey);
      if (parent === undefined) add(resolved, id, "The parent is not in the file.", detail);
      else if (parent === id) add(resolved, id, toItself, detail);
      else parentOf.set(id, parent);
    }
    const { tooDeep, circular } = cutTrees(parentOf);
    for (const { id, title, parents, completed } of this.#lines) {
      const detail = (parents[0] ?? "").slice(0, maxKey);
      const parent = parentOf.get(id);
      if (circular.has(id)) add(resolved, id, "The card would contain itself.", detail);
      if (parent === undefined || circular.has(id)) continue;
      if (!tooDeep.has(id) && resolved.relations.add(id, "child", parent)) continue;
      const reason = tooDeep.has(id)
        ? `It would have more than ${maxParents} parents above it: it is an item of a checklist there.`
        : `${tooManyRelations} It is an item of a checklist there.`;
      add(resolved, id, reason, detail);
      const unset = { dueDate: null, assignee: null };
      const state = { isComplete: completed.is, completedAt: completed.at };
      const item = { id: idOf(parent, "subtask", id), name: title, ...state, ...unset };
      getOrInsert(resolved.items, parent, () => []).push(item);
    }
  }

  #addLinks(resolved: Resolved, id: string, kind: LinkTarget, cell: string): void {
    for (const { text, other } of this.#namesIn(cell)) {
      const detail = text.slice(0, maxKey);
      if (other === undefined) add(resolved, id, "A related card is not in the file.", detail);
      else if (other === id) add(resolved, id, toItself, detail);
      else if (!resolved.relations.add(id, kind, other))
        add(resolved, id, tooManyRelations, detail);
    }
  }

  /** The cards that a cell names: titles may have the commas that separate them. */
  #namesIn(cell: string): { text: string; other: string | undefined }[] {
    const whole = this.#find(wholes(cell));
    if (whole !== undefined) return [{ text: cell, other: whole }];
    const parts = cell.split(/[,;\n]/).slice(0, maxNames);
    const found: { text: string; other: string | undefined }[] = [];
    for (let start = 0; start < parts.length;) {
      let [end, other] = [start + 1, this.#find(meanings(parts[start] ?? ""))];
      for (let last = Math.min(parts.length, start + maxCommas); last > start + 1; last--) {
        const longer = this.#find(wholes(parts.slice(start, last).join(",")));
        if (longer === undefined) continue;
        [end, other] = [last, longer];
        break;
      }
      const text = parts.slice(start, end).join(",").trim();
      if (text !== "") found.push({ text, other });
      start = end;
    }
    return found;
  }

  #find(names: string[]): string | undefined {
    const among = (ids: Map<string, string>) =>
      names.map((name) => ids.get(name)).find((id) => id !== undefined);
    return among(this.#ids) ?? among(this.#titles);
  }
}

function add({ problems }: Resolved, id: string, reason: string, detail: string): void {
  getOrInsert(problems, id, () => []).push({ reason, detail });
}

/** Which children cannot be related to their parents: in a circle, or below too many parents. */
function cutTrees(parentOf: ReadonlyMap<string, string>) {
  const levels = new Map<string, number>();
  const [tooDeep, circular] = [new Set<string>(), new Set<string>()];
  for (const start of parentOf.keys()) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !levels.has(at) && !path.has(at)) {
      path.add(at);
      at = parentOf.get(at);
    }
    // The way has come back to a card: that one has no parent.
    if (at !== undefined && path.has(at)) {
      circular.add(at);
      levels.set(at, 0);
    }
    for (const id of [...path].toReversed()) {
      if (levels.has(id)) continue;
      const parent = parentOf.get(id);
      const level = parent === undefined ? 0 : (levels.get(parent) ?? 0) + 1;
      if (level > maxParents) tooDeep.add(id);
      levels.set(id, level > maxParents ? 0 : level);
    }
  }
  return { tooDeep, circular };
}
