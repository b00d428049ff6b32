import { z } from "zod";
import { columnOptions, columnsIn, From, type FoundColumns } from "./columns.ts";
import { FieldTypesText } from "./custom-fields.ts";
import { Header, headerIn, type HeaderOptions } from "./header.ts";
import { csvFormat, openCsv, type CsvFile, type CsvFormat, type Encoding } from "./lines.ts";
import { profileIn, profileOf } from "./profiles.ts";
import { tableOf, type Table } from "./rows.ts";

/** How a file is read. */
export const csvOptions = {
  from: From.optional().meta({
    description: "The program that wrote the file. Without it, the header decides.",
    examples: ["jira"],
  }),
  header: Header,
  ...csvFormat,
  dateOrder: z
    .enum(["dmy", "mdy"])
    .meta({
      id: "DateOrder",
      description: "Whether the day or the month comes first in dates.",
    })
    .optional()
    .meta({
      description:
        "Whether the day or the month comes first in dates such as 3/4/2026. Needed only if no date of the file decides it.",
      examples: ["dmy"],
    }),
  ...columnOptions,
  fields: FieldTypesText,
};

/** A file whose columns are known. `close` it when it is not read to its end. */
export type CsvTable = Table & FoundColumns & Pick<CsvFile, "delimiter" | "close">;

/** Opens a file and finds its header, its program and its columns; 400 without them. */
export async function openTable(
  bytes: AsyncIterable<Uint8Array>,
  options: CsvFormat & HeaderOptions & { encoding: Encoding },
  signal?: AbortSignal,
): Promise<CsvTable> {
  const { encoding, delimiter } = options;
  const file = await openCsv(bytes, { encoding, delimiter }, signal);
  try {
    const { header, at } = headerIn(file.first, options);
    const from = options.from ?? profileIn(header);
    const before = file.first.slice(0, Math.max(0, at));
    const raw = { header, before, lines: following(file, at + 1) };
    const table = tableOf(raw, profileOf(from));
    const withFirst = at === -1 ? { titleColumn: "1", ...options } : options;
    const found = columnsIn(table.header, { ...withFirst, from });
    return { ...table, ...found, delimiter: file.delimiter, close: file.close };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* following({ first, lines }: CsvFile, from: number) {
  yield* first.slice(from);
  yield* lines;
}
