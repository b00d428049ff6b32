import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { eventTypes } from "../../src/contract/events.ts";
import { UserEvent } from "../../src/contract/user-events.ts";
import { linePatches } from "../property/sync/line-patches.ts";
import { readPatchTable } from "../property/sync/table.ts";

test("docs/sync.md has a patch for each type of event", async () => {
  const table = await readPatchTable("boards");
  expect([...table.keys()].toSorted()).toEqual([...eventTypes].toSorted());
});

test("the table of snapshots names events and patches that exist", async () => {
  const table = await readPatchTable("snapshots");
  expect(eventTypes).toEqual(expect.arrayContaining([...table.keys()]));
  expect(new Set(table.values())).toEqual(new Set(Object.keys(linePatches)));
});

test("docs/feed-and-stream.md has each type of event of a user", async () => {
  const page = await readFile("docs/feed-and-stream.md", "utf8");
  const [, section = ""] = page.split("\n## Stream of the user\n");
  const [own = ""] = section.split("\n## ");
  const shown = [...own.matchAll(/^\| (`[a-z_.`, ]+`) +\|/gm)].flatMap(([, types = ""]) =>
    types.replaceAll("`", "").split(", "),
  );
  const types = UserEvent.options.map(({ shape }) => shape.type.value);
  expect(shown.toSorted()).toEqual(types.toSorted());
});
