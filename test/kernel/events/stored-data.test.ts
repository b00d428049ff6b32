import { expect, test } from "vitest";
import { z } from "zod";
import { catalog, eventTypes } from "../../../src/contract/events.ts";
import { storedData, wholeData } from "../../../src/kernel/events/stored-data.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import fc from "../../support/fast-check.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** Values of the shape of a schema, empty ones among them; of texts the content does not matter. */
function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<any> {
  if (schema instanceof z.ZodNullable) return fc.option(valuesOf(schema.unwrap()));
  if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap());
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return fc.nat(3);
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element), { maxLength: 2 });
  if (schema instanceof z.ZodRecord) return fc.dictionary(fc.string(), fc.nat(3), { maxKeys: 2 });
  if (!(schema instanceof z.ZodObject)) return fc.string();
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  const isRequired = ([, field]: (typeof fields)[number]) => !(field instanceof z.ZodOptional);
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: fields.filter(isRequired).map(([name]) => name),
  });
}

test.each(eventTypes)("the data of %s comes back as it was, in the order of PostgreSQL", (type) => {
  fc.assert(
    fc.property(valuesOf(catalog[type].data), (data) => {
      const stored = storedData(type, data);
      expect(JSON.stringify(wholeData(type, stored))).toBe(JSON.stringify(wholeData(type, data)));
      expect(wholeData(type, stored)).toEqual(data);
      expect(storedData(type, stored)).toEqual(stored);
    }),
    { numRuns: 50 },
  );
});

test("what is stored leaves out what is empty, and a history shows it", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, lists[0] ?? "");
  const [row] = await app().db.read<{ data: any }>(
    sql`SELECT data FROM events WHERE "cardPublicId" = ${card} AND type = 'card.created'`,
  );
  expect(row?.data.card).not.toHaveProperty("labels");
  const { body } = await workspace.admin.rest.get(`/cards/${card}/activities`);
  expect(body.items[0].data.card).toMatchObject({
    publicId: card,
    labels: [],
    dueDate: null,
    isComplete: false,
    commentCount: 0,
    checklistItems: { total: 0, completed: 0 },
  });
});

test.each(eventTypes)("of what was erased from %s, nothing but the ids come back", (type) => {
  const publicId = "k3n5p7r9t2v4";
  const erased = { card: { publicId }, board: { publicId }, list: { publicId } };
  expect(wholeData(type, erased)).toEqual(erased);
});

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The names of the fields of an object that say nothing, and may be new since it was stored. */
const newNames = (schema: z.ZodObject): string[] =>
  Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
    field instanceof z.ZodBoolean || field instanceof z.ZodNullable || field instanceof z.ZodNumber
      ? [name]
      : [],
  );

/** A value as it was stored before its things had some fields; `nth` chooses one of each. */
function older(schema: z.core.$ZodType, value: unknown, nth: number): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return older(schema.unwrap(), value, nth);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => older(schema.element, one, nth));
  if (!(schema instanceof z.ZodObject) || !isFields(value)) return value;
  const names = newNames(schema);
  const missing = names[nth % Math.max(names.length, 1)];
  return Object.fromEntries(
    Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
      name === missing || !(name in value) ? [] : [[name, older(field, value[name], nth)]],
    ),
  );
}

test.each(eventTypes)("%s of before a field was added is read as one without a value", (type) => {
  const { data: schema } = catalog[type];
  fc.assert(
    fc.property(valuesOf(schema), fc.nat(20), (data, nth) => {
      const resources = Object.entries<z.core.$ZodType>(schema.shape).filter(
        ([name, field]) => field instanceof z.ZodObject && name in data,
      );
      const before = { ...data };
      for (const [name, field] of resources) before[name] = older(field, data[name], nth);
      const read = wholeData(type, before);
      for (const [name] of resources)
        expect(Object.keys(read[name] as Fields).toSorted()).toEqual(
          Object.keys(data[name]).toSorted(),
        );
    }),
    { numRuns: 30 },
  );
});

test("a view of before views were grouped by name is not", () => {
  const view = { publicId: "k3n5p7r9t2v4", name: "V", scope: "private", layout: "list" };
  const times = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
  const before = { view: { ...view, ...times, sortBy: [], groupBy: { field: "label" } } };
  const { view: read } = wholeData("view.updated", before) as { view: Fields };
  expect(read["groupBy"]).toEqual({ field: "label", byName: false });
});
