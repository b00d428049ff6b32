import fc from "fast-check";
import { expect, test } from "vitest";
import { useApp } from "../../../support/app.ts";
import { makeWorkspace, type Workspace } from "../../../support/make.ts";
import { programTables } from "./program-tables.ts";
import { sendCsv } from "./sending.ts";

const app = useApp();

let home: Workspace | undefined;
const preview = async (body: string, query: Record<string, string> = {}) => {
  home ??= await makeWorkspace(app());
  return sendCsv(app(), home, "/imports/csv/preview", query, body);
};

const fileOf = (header: string, cards: readonly [string, object][]) =>
  [header, ...cards.map(([line]) => line)].join("\n");

test.each(programTables.map((table, nth) => [`${nth} ${table.program}`, table] as const))(
  "the table of %s is read without help",
  async (_, { program, header, cards }) => {
    const { status, body } = await preview(fileOf(header, cards));
    expect([status, JSON.stringify(body).slice(0, 500)]).toEqual([200, expect.anything()]);
    expect(body.from).toBe(program);
    expect(body.cards.map(({ title, ...card }: any) => ({ title, ...card }))).toEqual(
      cards.map(([, card]) => expect.objectContaining(card)),
    );
  },
);

test("the tables have 80 cells of 18 programs at least", () => {
  const values = programTables.flatMap(({ cards }) =>
    cards.flatMap(([, card]) => Object.keys(card)),
  );
  expect(values.length).toBeGreaterThan(80);
  expect(new Set(programTables.map(({ program }) => program)).size).toBeGreaterThan(18);
});

const piece = fc.constantFrom(
  ...'[ ] { } " ; | : , @ # ( ) < > - → 1 31 2026 / . Mar PM UTC % € yes null {} [] {"a":1} https://a.b \u0000 \u200B'.split(
    " ",
  ),
  "\n",
  " ",
);
const anyCell = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(piece, { maxLength: 30 }).map((parts) => parts.join("")),
);

test("whatever is in a cell of a program's table, it is read or refused, and never an error", async () => {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...programTables),
      fc.array(fc.array(anyCell, { maxLength: 35 }), { minLength: 1, maxLength: 5 }),
      async ({ header, program }, lines) => {
        const body = [header, ...lines.map((cells) => cells.map(quoted).join(","))].join("\n");
        const { status } = await preview(body, { from: program });
        expect([200, 400]).toContain(status);
      },
    ),
    { numRuns: 60 },
  );
});
