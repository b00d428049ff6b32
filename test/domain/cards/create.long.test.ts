import { test } from "vitest";
import { useApp } from "../../support/app.ts";
import { expectChecklists, start } from "./creating.ts";

const app = useApp();

test("card.create takes 50 checklists of 500 items each, in order", async () => {
  const { user, list } = await start(app());
  await expectChecklists(user, list, { checklists: 50, items: 500 });
});
