import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { importFile } from "./importing.ts";

const app = useApp({ isolated: true });

test.each([
  [
    "full of objects without content",
    `{"id":"a","lists":[],"cards":[${"{},".repeat(200_000)}{}]}`,
    /More than 20000 resources/,
  ],
  [
    "full of items of missing cards",
    `{"id":"a","lists":[],"cards":[],"checklists":[{"id":"b","checkItems":[${"{},".repeat(20_000)}{}]}]}`,
    /More than 20000 resources/,
  ],
])("an export that is %s fails with a message and creates nothing", async (_, body, why) => {
  const home = await makeWorkspace(app());
  const done = await importFile(app(), home, body);
  expect(done.status).toBe("failed");
  expect(done.error).toMatch(why);
  expect(done.counts["card"] ?? { created: 0 }).toMatchObject({ created: 0 });
  const { body: boards } = await home.admin.rest.get(`/workspaces/${home.publicId}/boards`);
  expect(boards.items).toEqual([]);
});
