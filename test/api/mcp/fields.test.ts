import { expect, test } from "vitest";
import { cardFields } from "../../../src/contract/fields/card.ts";
import { fieldsIn } from "../../../src/contract/fields/field.ts";

test("tools show every field of a card that several cards can get at once", () => {
  const bulk = fieldsIn(cardFields, "bulk");
  expect(bulk.length).toBeGreaterThan(0);
  expect(bulk.filter(([, { word }]) => word === undefined)).toEqual([]);
});
