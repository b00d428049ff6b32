import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { actual, countsIn, expected, likeThat } from "./compare.ts";
import { runDue } from "../../support/jobs.ts";
import { send } from "./importing.ts";
import { makeExport } from "./trello-export.ts";

const app = useApp({ isolated: true });

// test/crash/imports.test.ts imports more cards, in more than 100 MB.
const cards = Number(process.env["IMPORT_CARDS"] ?? 1_000);

test(`${cards} cards come over with everything, in their order, and again creates nothing`, async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards, lists: 20, comments: 0.4 * cards });
  const bring = async (body: object) => {
    const sent = await send(app(), home, body);
    await runDue(app().deps);
    return (await home.admin.rest.get(`/imports/${sent.body.publicId}?limit=1`)).body;
  };
  const done = await bring(source);
  expect(done).toMatchObject({ status: "completed", error: null });
  const found = Object.fromEntries(done.counts.map((one: any) => [one.kind, one.found]));
  expect(found).toMatchObject(countsIn(source));
  const { publicId } = done.boards[0];
  expect(await actual(home, publicId, 100)).toEqual(likeThat(expected(source), 100));

  const again = await bring(source);
  expect(again.counts.filter((one: any) => one.created > 0)).toEqual([]);
  const { body: head } = await home.admin.rest.get(`/boards/${publicId}?archived=true&cardLimit=1`);
  const count = head.lists.reduce((sum: number, list: any) => sum + list.cardCount, 0);
  expect(count).toBe(cards);
});
