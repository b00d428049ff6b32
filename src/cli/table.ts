import { z } from "zod";
import type { Api } from "./api.ts";
import { print } from "./progress.ts";

/** What commands show of an item: an object of any fields. */
export const Item = z.record(z.string(), z.unknown());
export type Item = z.infer<typeof Item>;

const Items = z.object({ items: z.array(Item), nextCursor: z.string().nullable() });

/** The options of commands that list something. */
export const listOptions = {
  limit: {
    type: "string",
    default: "50",
    description: "How many to list at most",
    valueHint: "number",
  },
  json: { type: "boolean", description: "Print JSON for programs" },
} as const;

const pageSize = 100;

/** Reads a listing page by page, up to `limit` items. */
async function readItems(
  api: Api,
  path: string,
  query: Record<string, string | undefined>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = [];
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  for (let cursor: string | null = ""; cursor !== null && items.length < limit;) {
    const parameters = new URLSearchParams(given);
    parameters.set("limit", String(Math.min(pageSize, limit - items.length)));
    if (cursor !== "") parameters.set("cursor", cursor);
    const page: z.infer<typeof Items> = await api.json(Items, `${path}?${parameters.toString()}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

/** Lists items: as JSON, or as a table of some fields with the titles of its columns. */
export async function printList(
  api: Api,
  path: string,
  query: Record<string, string | undefined>,
  columns: Record<string, string>,
  { limit, json }: { limit: string; json?: boolean | undefined },
): Promise<void> {
  const items = await readItems(api, path, query, Number(limit) || pageSize);
  if (json === true) return print(JSON.stringify(items, null, 2));
  const rows = [
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((field) => textOf(item[field]))),
  ];
  const widths = Object.keys(columns).map((_, nth) =>
    Math.max(...rows.map((row) => row[nth]?.length ?? 0)),
  );
  for (const row of rows) {
    print(
      row
        .map((text, nth) => text.padEnd(widths[nth] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** Prints an answer: as JSON, or a line for each field. */
export function printItem(item: Item, isJson: boolean | undefined): void {
  if (isJson === true) return print(JSON.stringify(item, null, 2));
  const width = Math.max(...Object.keys(item).map((name) => name.length));
  for (const [name, value] of Object.entries(item)) {
    print(`${name.padEnd(width)}  ${textOf(value)}`);
  }
}

/** A value in one line. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  // A name must not move the cursor of a terminal.
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/\p{C}/gu, " ");
}
