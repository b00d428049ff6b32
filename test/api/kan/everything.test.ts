import { beforeAll, expect, test } from "vitest";
import { selectedShape } from "../../../src/contract/fields/part.ts";
import { cardParts } from "../../../src/contract/resources/card-parts.ts";
import { snapshotLines } from "../../../src/contract/resources/snapshot.ts";
import { useApp } from "../../support/app.ts";
import { makeRich, type Rich } from "../../transfer/exports/rich.ts";
import { clientOf, type KanClient } from "./client.ts";
import { shapes } from "./shapes.ts";

const app = useApp();

let rich: Rich;
let kan: KanClient;
beforeAll(async () => {
  rich = await makeRich(app());
  kan = clientOf(app(), rich.admin.token);
}, 60_000);

/** The lines of the workspace's snapshot, by kind. */
async function linesOf({ workspace, admin }: Rich): Promise<Record<string, number>> {
  const parts = Object.keys(selectedShape(cardParts)).map((part) => `${part}=true`);
  const query = ["archived=true", ...parts].join("&");
  const path = `/api/v1/workspaces/${workspace.publicId}/snapshot?${query}`;
  const headers = { Authorization: `Bearer ${admin.token}` };
  const response = await app().fetch(new Request(`http://service${path}`, { headers }));
  const lines = (await response.text()).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "").counts;
}

test("the boards below have all that the declarations know", async () => {
  const counts = await linesOf(rich);
  const missing = Object.keys(snapshotLines).filter((kind) => !((counts[kind] ?? 0) > 0));
  expect(missing).toEqual([]);
});

test.each(["main", "secret", "open", "old", "template"] as const)(
  "the board %s is read whole, by its id and by its slug",
  async (name) => {
    const path = `/boards/${rich.boards[name]}`;
    const { status, body } = await kan("GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    const cards = body.lists.flatMap((list: any) => list.cards);
    const problem = shapes["GET /boards/{boardPublicId}"]?.safeParse(body).error;
    expect(problem?.message).toBeUndefined();
    expect(body.isArchived).toBe(name === "old");
    const bySlug = await kan("GET", `/workspaces/${rich.workspace.slug}/boards/${body.slug}`);
    expect(bySlug).toMatchObject({ status: 200, body: { publicId: rich.boards[name] } });
    for (const { publicId, title } of cards) {
      const card = await kan("GET", `/cards/${publicId}`);
      expect([title, card.status]).toEqual([title, 200]);
      expect(shapes["POST /cards"]?.safeParse(card.body).error?.message).toBeUndefined();
    }
  },
);

test("an archived board is a favourite, as it was before", async () => {
  const path = `/boards/${rich.boards.old}`;
  await kan("PUT", path, { body: { favorite: true } });
  expect((await kan("GET", path)).body).toMatchObject({ isArchived: true, favorite: true });
});
