import { z } from "zod";
import { expect, test } from "vitest";
import { PublicBoard } from "../../../src/domain/boards/public.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** Fields of a public board that are no text of users. */
const plain: ReadonlySet<string> = new Set(["slug", "colourCode", "cardNumber"]);

/** The paths of all texts in a schema, such as `lists.cards.title`. */
function textsIn(schema: z.core.$ZodType, path: string[] = []): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([field, part]) =>
      plain.has(field) ? [] : textsIn(part, [...path, field]),
    );
  }
  if (schema instanceof z.ZodArray) return textsIn(schema.element, path);
  if (schema instanceof z.ZodNullable) return textsIn(schema.unwrap(), path);
  return schema instanceof z.ZodString ? [path.join(".")] : [];
}

/** The values at a path, in all items of the arrays on it. */
const valuesAt = (value: unknown, path: string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [field, ...rest] = path;
  if (field === undefined) return [value];
  return typeof value === "object" && value !== null
    ? valuesAt(Reflect.get(value, field), rest)
    : [];
};

test("every text of a public board shows names instead of mentions", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const home = `/workspaces/${workspace.publicId}`;
  const me: string = (await rest.get(home)).body.memberPublicId;
  const text = `@[Ada](${me})`;
  await rest.put(home, { name: text });
  await rest.put("/users/me", { name: text });
  const { body: board } = await rest.post(`${home}/boards`, {
    name: text,
    description: text,
    visibility: "public",
    lists: [text],
    labels: [{ name: text, colourCode: "#ff0000" }],
  });
  const { body: card } = await rest.post("/cards", {
    title: text,
    description: text,
    listPublicId: board.lists[0].publicId,
    labelPublicIds: [board.labels[0].publicId],
    checklists: [{ name: text, items: [text] }],
  });
  await rest.post(`/cards/${card.publicId}/comments`, { comment: text });
  const counted = { name: text, type: "number", unit: text, isShownOnCard: true };
  const { body: made } = await rest.post(`/boards/${board.publicId}/fields`, counted);
  await rest.put(`/cards/${card.publicId}`, { fields: { [made.publicId]: 1 } });

  const path = `/workspaces/by-slug/${workspace.slug}/boards/${board.slug}`;
  const { body } = await as(app()).rest.get(path);
  for (const field of textsIn(PublicBoard)) {
    expect({ field, values: valuesAt(body, field.split(".")) }).toEqual({
      field,
      values: ["@Ada"],
    });
  }
  expect(JSON.stringify(body)).not.toContain(me);
});
