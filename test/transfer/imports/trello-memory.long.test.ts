import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ImportFailure } from "../../../src/transfer/imports/job/failure.ts";
import { Staging } from "../../../src/platform/storage/staging.ts";
import { BoardReader } from "../../../src/transfer/imports/trello/board-reader.ts";
import { readExport } from "../../../src/transfer/imports/trello/file.ts";

const mebibyte = 1024 * 1024;
const fileBytes = 8 * mebibyte;
const chunkBytes = 64 * 1024;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const heap = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** The elements of a list in a file, by their number. */
type Elements = [field: string, elementOf: (nth: number) => string];

const arrays = `[${"[],".repeat(1_000)}[]]`;
const parts = (of: (nth: number) => string) => (nth: number) =>
  Array.from({ length: 10_000 }, (_, index) => of(nth * 10_000 + index)).join();
const items = parts((nth) => `{"id":"${nth}"}`);
const options = parts((nth) => `{"id":"${nth}","value":{}}`);

/** Values that are long, or have many parts. */
const large: Record<string, Elements> = {
  "lists whose names are arrays": ["lists", (nth) => `{"id":"${nth}","name":${arrays}}`],
  "labels whose names are arrays": ["labels", (nth) => `{"id":"${nth}","name":${arrays}}`],
  "lists whose limits are arrays": ["lists", (nth) => `{"id":"${nth}","softLimit":${arrays}}`],
  "members whose names are long": [
    "members",
    (nth) => `{"id":"${nth}","fullName":"${"é".repeat(100_000)}"}`,
  ],
};

/** How many resources are read before the file: a board may have a few more. */
const readBefore = 990_000;

/** Elements that are small, or have small parts. */
const many: Record<string, Elements> = {
  lists: ["lists", (nth) => `{"id":"${nth}"}`],
  labels: ["labels", (nth) => `{"id":"${nth}"}`],
  members: ["members", (nth) => `{"id":"${nth}"}`],
  "custom fields": ["customFields", (nth) => `{"id":"${nth}","type":"text"}`],
  options: ["customFields", (nth) => `{"id":"${nth}","type":"list","options":[${options(nth)}]}`],
  items: ["checklists", (nth) => `{"id":"${nth}","checkItems":[${items(nth)}]}`],
  attachments: ["cards", (nth) => `{"id":"${nth}","attachments":[${items(nth)}]}`],
};

/** The bytes of a file with one list, in chunks. */
async function* fileWith([field, elementOf]: Elements) {
  let text = `{"id":"b","${field}":[`;
  for (let size = 0, nth = 0; size < fileBytes; nth++) {
    text += `${nth === 0 ? "" : ","}${elementOf(nth)}`;
    if (text.length < chunkBytes) continue;
    const bytes = Buffer.from(text);
    size += bytes.length;
    text = "";
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  yield Buffer.from(`${text}]}`);
}

test.each(Object.entries(large))("%s take less memory than the file", async (_, elements) => {
  await Staging.lend(0, async (staging) => {
    const empty = heap();
    const reader = new BoardReader(staging, () => undefined);
    const read = readExport(fileWith(elements), reader, () => staging.flush());
    await expect(read).rejects.toThrow(ImportFailure);
    expect(heap() - empty).toBeLessThan(fileBytes);
    expect(reader.count).toBeGreaterThan(0);
  });
});

test.each(Object.entries(many))("a file with too many %s is refused", (_, elements) =>
  Staging.lend(0, async (staging) => {
    const reader = new BoardReader(staging, () => undefined);
    for (let nth = 0; nth < readBefore; nth++) reader.take("unknown", null);
    const read = readExport(fileWith(elements), reader, () => staging.flush());
    await expect(read).rejects.toThrow(/^The board has more than \d+ /);
  }),
);
