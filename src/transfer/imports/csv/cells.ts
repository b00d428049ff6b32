import { textOf } from "../../../platform/foreign-text.ts";
import { namesIn, unescapeFormula } from "../../format/csv-cells.ts";

/** A cell as it was meant; "" without one. */
export const cellText = (cell: string | undefined): string => unescapeFormula(textOf(cell) ?? "");

/** What programs write when there is nothing, in small letters. */
const nothing = new Set(
  (
    '|-|--|---|–|—|n/a|na|none|null|nil|undefined|nan|[]|{}|""|(none)|(empty)|(blank)|empty|not set|unset|' +
    "no value|no date|no due date|no start date|no priority|no label|no labels|no tags|unassigned|" +
    "no assignee|unresolved|no resolution|keine|keiner|aucun|aucune|ninguno|ninguna|nenhum|nenhuma|なし|" +
    "0000-00-00|0000-00-00 00:00:00|0001-01-01t00:00:00z|0001-01-01"
  ).split("|"),
);

/** Whether a cell says that there is nothing. */
export const isNothing = (cell: string): boolean => {
  const text = cell.trim();
  return text.length <= 40 && nothing.has(text.toLowerCase());
};

/** A JSON array or object in a cell; undefined for another text. */
export function jsonIn(cell: string): unknown {
  const text = cell.trim();
  if (!/^(?:\[.*\]|\{.*\})$/s.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The texts of a list of JSON, by their names when they are objects; undefined for another cell. */
function jsonNames(cell: string): string[] | undefined {
  const value = jsonIn(cell);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    if (typeof item !== "object" || item === null) return [];
    const named = new Map<string, unknown>(Object.entries(item));
    const names = ["name", "title", "username", "email"].map((key) => named.get(key));
    const name = names.find((text) => typeof text === "string");
    return typeof name === "string" ? name : [];
  });
}

/** The names in a cell: `a, b`, `a; b`, `[a,b]`, `["a","b"]` and lines; each once. */
export function listIn(cell: string, separator?: "|"): string[] {
  const text = cell.trim();
  const ofJson = jsonNames(text);
  if (ofJson !== undefined) return unique(ofJson);
  const isBracketed =
    text.startsWith("[") && text.endsWith("]") && !text.slice(1, -1).includes("[");
  const list = isBracketed ? text.slice(1, -1) : text;
  return unique(separator === undefined ? namesIn(list) : list.split(separator));
}

const unique = (names: string[]) => [
  ...new Set(names.map((name) => name.trim()).filter((name) => !isNothing(name))),
];

/** How the names of labels are written. */
export type LabelStyle = "plain" | "colours" | "wekan";

const colourNames =
  "green yellow orange red purple blue sky lime pink black white silver gray grey null none " +
  "peachpuff crimson plum darkgreen slateblue magenta gold navy saddlebrown paleturquoise " +
  "mistyrose indigo";
const colours = new Set(
  colourNames.split(" ").flatMap((name) => [name, `${name}_dark`, `${name}_light`]),
);

/** The colour after a name, as `Bug (red)`; null for another text. */
function colouredName(text: string): string | null {
  const at = text.lastIndexOf("(");
  if (at === -1 || !text.endsWith(")")) return null;
  const colour = text
    .slice(at + 1, -1)
    .trim()
    .toLowerCase();
  // A label without a name is called by its colour, as in other imports.
  return colours.has(colour) ? text.slice(0, at).trim() || colour.replace(/_.*/, "") : null;
}

/** The names of labels in a cell. */
export function labelsIn(cell: string, style: LabelStyle): string[] {
  if (style === "wekan") return unique(wekanLabels(cell));
  const names = listIn(cell).map((name) => name.replace(/^[@~](?=\S)/, ""));
  return unique(style === "plain" ? names : names.map((name) => colouredName(name) ?? name));
}

/** `Bug-red In review-blue`: a name ends at a colour. */
function wekanLabels(cell: string): string[] {
  const found: string[] = [];
  let words: string[] = [];
  for (const word of cell.split(/[\s,;]+/)) {
    const at = word.lastIndexOf("-");
    const isLast = at !== -1 && colours.has(word.slice(at + 1).toLowerCase());
    words.push(isLast ? word.slice(0, at) : word);
    if (!isLast) continue;
    found.push(words.join(" ").trim() || word.slice(at + 1));
    words = [];
  }
  return [...found, words.join(" ")];
}

/** What follows a name: an address, a user name or a number. */
const isAccount = (text: string) =>
  !/\s/.test(text) && (/[@\d]/.test(text) || text === text.toLowerCase());

/** The names of people in a cell: `Ada <ada@example.com>` and `Ada (ada)` are Ada. */
export const peopleNames = (cell: string): string[] =>
  unique(
    listIn(cell).map((name) => {
      const bare = name.replace(/^@(?=\S)/, "");
      const at = Math.max(bare.lastIndexOf("<"), bare.lastIndexOf("("));
      const ends = bare.endsWith(">") || bare.endsWith(")");
      return at > 0 && ends && isAccount(bare.slice(at + 1, -1)) ? bare.slice(0, at).trim() : bare;
    }),
  );

const yes = new Set(
  (
    "yes y true 1 x ✓ ✔ ☑ on checked done complete completed closed resolved accepted finished fixed " +
    "ja oui sí si sim vrai wahr erledigt はい"
  ).split(" "),
);
const no = new Set(
  (
    "no|n|false|0|-|off|unchecked|open|opened|incomplete|unfinished|nein|non|não|nao|faux|falsch|active|" +
    "started|unstarted|unscheduled|in progress|not started|not completed|not complete|to do|todo"
  ).split("|"),
);

/** Whether a cell says that something is so; null for another text. A share of 100 is whole at 100. */
export function flagIn(cell: string): boolean | null {
  const text = cell.trim().toLowerCase();
  const [, share] = /^(\d{1,3}(?:[.,]\d{1,9})?) ?%$/.exec(text) ?? [];
  if (share !== undefined) return Number(share.replace(",", ".")) >= 100;
  if (yes.has(text)) return true;
  return no.has(text) || isNothing(text) ? false : null;
}

/** Names of states in which work is finished. */
const finished = new Set(
  (
    "done|completed|complete|closed|resolved|accepted|finished|fixed|shipped|released|archived|deployed|" +
    "verified|merged|canceled|cancelled|won't do|wont do|won't fix|duplicate|rejected|erledigt|fertig|" +
    "geschlossen|abgeschlossen|terminé|terminée|terminé(e)|fermé|fermée|résolu|résolue|fini|hecho|listo|" +
    "cerrado|cerrada|resuelto|resuelta|finalizada|finalizado|completado|concluído|concluida|concluída|" +
    "feito|fechado|resolvido|itens concluídos|完了|済|解決済み|クローズ"
  ).split("|"),
);

/** Whether the name of a state says that work is finished. */
export const isFinished = (state: string): boolean => {
  const text = state.trim().toLowerCase().replaceAll("’", "'");
  return text.length <= 40 && finished.has(text.replace(/^[^\p{L}]+|[^\p{L})]+$/gu, ""));
};

/** Our priorities by the names that others have for them. */
const priorities = new Map(
  Object.entries({
    urgent:
      "urgent highest critical blocker immediate showstopper asap p0 p1 höchste kritisch dringend " +
      "critique urgente crítica crítico 最高 緊急 very-high do-now sehr-hoch très-élevée muy-alta muito-alta",
    high: "high major important p2 hoch wichtig haute élevée importante alta alto 高 高い",
    medium:
      "medium normal moderate standard default p3 mittel moyenne media média médio 中 通常 mid",
    low: "low lowest minor trivial p4 p5 niedrig gering niedrigste basse faible baja baixa 低 最低 very-low",
    none: "none no-priority keine aucune ninguna nenhuma なし",
  }).flatMap(([priority, names]) =>
    names.split(" ").map((name): [string, string] => [name, priority]),
  ),
);

/** The priority of a cell; null for an unknown one. `numbers` are those of a program, from 0 on. */
export function priorityIn(cell: string, numbers: readonly string[] = []): string | null {
  const text = cell.trim().toLowerCase().slice(0, 80);
  const ofNumber = /^\d{1,2}$/.test(text) ? numbers[Number(text)] : undefined;
  if (ofNumber !== undefined) return ofNumber;
  const [, first = "", rest] = /^([p\d]?\d) ?[-–:.)] ?(.+)$/.exec(text) ?? [];
  const names = [text, rest ?? "", first].map((name) =>
    name.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").replaceAll(/[\s_-]+/g, "-"),
  );
  return names.flatMap((name) => priorities.get(name) ?? [])[0] ?? null;
}
