import { noRepairs, readable, type Repairs } from "../../../platform/json/readable.ts";
import { readJson, type JsonPart } from "../../../platform/json/read-json.ts";
import { parseTask } from "../../../platform/parsing/pool.ts";

const lists = `lists labels members customFields cards checklists actions pluginData powerUps`;
const format = {
  fields: ["id", "name", "desc", "closed", "dateClosed", "labelNames", "prefs"],
  lists: lists.split(" "),
  /** The most tokens of one element; a card with a thousand attachments has a third of that. */
  maxTokens: 1_000_000,
};

/** Whether a part is a field of the board itself. */
export const isOfBoard = ({ field }: JsonPart): boolean => format.fields.includes(field);

/** Some parts of a file, or what is known at its end: the names of its fields, and its repairs. */
type ExportParts = { parts: JsonPart[] } | { parts: null; names: string[]; repairs: Repairs };

/** Reads Trello's board export. Runs in a thread. */
export async function* readExportParts(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ExportParts> {
  const names = new Set<string>();
  const repairs = noRepairs();
  const known = new Set([...format.fields, ...format.lists]);
  const onField = (name: string) => {
    if (known.has(name)) names.add(name);
  };
  for await (const parts of readJson(readable(bytes, repairs), { ...format, onField }))
    if (parts.length > 0) yield { parts };
  yield { parts: null, names: [...names], repairs };
}

/** Reads Trello's board export. */
export const exportTask = parseTask<null, ExportParts>(import.meta.url, "The file", {
  readExportParts,
});
