import { expect, test } from "vitest";
import { z } from "zod";
import type { FieldKind } from "../../src/contract/fields/field.ts";
import { showIn, showTextsIn } from "../../src/domain/declared-fields.ts";

const texts: Readonly<Record<FieldKind, [unknown, string]>> = {
  text: ["Plant", "Plant"],
  integer: [0, "0"],
  moment: [new Date("2026-01-31T10:00:00.000Z"), "2026-01-31 10:00:00+00"],
  flag: [new Date("2026-01-31T10:00:00.000Z"), "2026-01-31 10:00:00+00"],
  cardNumber: [12, "12"],
  choice: ["high", "high"],
};

test.each(Object.entries(texts))(
  "a value of the kind %s, or none, shows the same of a row and of a text",
  (name, [value, text]) => {
    const kind = name as FieldKind;
    const fields = {
      field: { column: "field", kind, shown: z.unknown(), in: ["entry"] as const },
    };
    const ofRow = showIn(fields, "entry");
    const ofTexts = showTextsIn(fields, "entry", 0);
    expect(ofTexts([text], "HOME")).toEqual(ofRow({ field: value }, "HOME"));
    expect(ofTexts([null], "HOME")).toEqual(ofRow({ field: null }, "HOME"));
  },
);
