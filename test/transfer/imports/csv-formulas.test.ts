import { expect, test } from "vitest";
import fc from "fast-check";
import { escapeFormula, unescapeFormula } from "../../../src/transfer/format/csv-cells.ts";

const signs = ["=", "+", "-", "@", "\u{ff1d}"];

test.each([";", "|", "\t", "\n", "\r\n", '";', ';"', '; "', "; "])(
  "no formula starts after %j, where some programs begin another cell",
  (before) => {
    for (const sign of signs)
      expect(escapeFormula(`text${before}${sign}1+1`)).toBe(`text${before}'${sign}1+1`);
  },
);

test("a list of Markdown stays as it is", () => {
  const list = "Buy:\n- milk\n- bread\n+ tea";
  expect(escapeFormula(list)).toBe(list);
});

test("every text comes back", () => {
  const character = fc.constantFrom(...Array.from(`;|\t\r\n"' =+-@a`));
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text);
      expect(escapeFormula(text)).not.toMatch(/[;|\t][ "]*[=+\-@]/);
    }),
  );
});
