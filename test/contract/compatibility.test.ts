import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { breaksBetween } from "./breaks.ts";

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));
const released = await read("released-openapi.json");
const current = await read("openapi.json");

/** What may break, each with its reason. Empty it with each release. */
const accepted: string[] = [];

test("a client of the last release works with this document", () => {
  expect(breaksBetween(released, current).filter((one) => !accepted.includes(one))).toEqual([]);
});

const changed = (change: (document: any) => void) => {
  const copy = structuredClone(released);
  change(copy);
  return breaksBetween(released, copy);
};

test.each<[string, (document: any) => void]>([
  ["an operation is gone", ({ paths }) => delete paths["/lists"].post],
  [
    "a field of an answer is gone",
    ({ components: { schemas } }) => delete schemas.ListRef.properties.name,
  ],
  [
    "a field of an answer is optional",
    ({ components: { schemas } }) => schemas.ListRef.required.pop(),
  ],
  [
    "a field of a body is gone",
    ({ components: { schemas } }) => delete schemas.CreateListInput.properties.index,
  ],
  [
    "a field of a body is required",
    ({ components: { schemas } }) => schemas.CreateListInput.required.push("index"),
  ],
  ["a value of an input is gone", ({ components: { schemas } }) => schemas.Permission.enum.pop()],
  [
    "a field has another type",
    ({ components: { schemas } }) => (schemas.ListRef.properties.name.type = "integer"),
  ],
  [
    "a field can be null",
    ({ components: { schemas } }) => (schemas.ListRef.properties.name.type = ["string", "null"]),
  ],
])("it is a break when %s", (_, change) => {
  expect(changed(change)).not.toEqual([]);
});

test("new fields of answers and new optional fields of bodies are no break", () => {
  const added = changed(({ components: { schemas } }) => {
    schemas.ListRef.properties.colour = { type: "string" };
    schemas.CreateListInput.properties.colour = { type: "string" };
  });
  expect(added).toEqual([]);
});
