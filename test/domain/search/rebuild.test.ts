import { expect, test } from "vitest";
import { rebuildSearch } from "../../../src/domain/search/rebuild.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { wrongWords } from "../../kernel/observers/words.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

test("a rebuild makes the words of all texts again, while texts change", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const cards: string[] = [];
  for (let nth = 0; nth < 5; nth++) {
    const card = await makeCard(admin, list, `Wombat ${nth}`);
    await admin.rest.post(`/cards/${card}/comments`, { comment: `Numbat ${nth}` });
    cards.push(card);
  }
  await admin.rest.delete(`/cards/${cards[4]}`);
  await app().db.write(sql`DELETE FROM search_texts`);
  await app().db.write(sql`DELETE FROM search_words`);
  expect(await wrongWords(app())).not.toEqual([]);
  const changes = cards.slice(0, 4).map(async (card, nth) => {
    for (let round = 0; round < 5; round++) {
      const title = `Quokka ${nth} ${round}`;
      expect((await admin.rest.put(`/cards/${card}`, { title })).status).toBe(200);
    }
  });
  await rebuildSearch(app().db);
  await Promise.all(changes);
  expect(await wrongWords(app())).toEqual([]);
  const path = `/workspaces/${workspace.publicId}/search`;
  expect((await admin.rest.get(`${path}?query=numbat`)).body.items).toHaveLength(4);
  expect((await admin.rest.get(`${path}?query=quoka`)).body.items).toHaveLength(4);
});
