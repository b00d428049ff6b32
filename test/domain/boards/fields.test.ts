import { expect, test } from "vitest";
import { z } from "zod";
import { boardFields } from "../../../src/contract/fields/board.ts";
import { fieldsIn, type Field, type Place } from "../../../src/contract/fields/field.ts";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** A value of a field that no new board has. */
function valueOf(name: string, { choice, input }: Field): unknown {
  if (choice === undefined) return `other-${name}`.toLowerCase();
  if (!(input instanceof z.ZodEnum)) throw new Error(`${name} is no enum.`);
  return input.options.findLast((option) => option !== choice.otherwise);
}

const valuesIn = (place: Place) =>
  Object.fromEntries(
    fieldsIn(boardFields, place).map(([name, field]) => [name, valueOf(name, field)]),
  );

test("board.create stores every field that its input has, and a copy those that are copied", async () => {
  const { admin, publicId } = await makeWorkspace(app());
  const { rest } = admin;
  const boards = `/workspaces/${publicId}/boards`;
  const created = valuesIn("create");
  const { body: board } = await rest.post(boards, created);
  expect(board).toMatchObject(created);
  const plain = await rest.post(boards, { name: "Plain" });
  const copied = Object.fromEntries(fieldsIn(boardFields, "copy"));
  const copy = await rest.post(boards, { name: "Copy", sourceBoardPublicId: board.publicId });
  for (const [name, field] of fieldsIn(boardFields, "create")) {
    if (field.isRequired === true || name === "slug") continue;
    const usual = field.choice?.otherwise ?? null;
    expect([name, plain.body[name]]).toEqual([name, usual]);
    const isCopied = Object.hasOwn(copied, name);
    expect([name, copy.body[name]]).toEqual([name, isCopied ? created[name] : usual]);
  }
});
