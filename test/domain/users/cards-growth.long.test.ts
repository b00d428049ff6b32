import { beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { keepCards } from "../../support/kept.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead("cards");
const cards = 20_000;
let workspace: Workspace;

/** Many cards that the caller is assigned to; every 2,000th has another title. */
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { publicId } = await makeBoard(workspace);
  await app().db.write(sql`WITH made AS (
      INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, position)
      SELECT 'mine' || lpad(n::text, 8, '0'), b."workspaceId", b.id,
        (SELECT min(id) FROM lists WHERE "boardId" = b.id), n,
        CASE WHEN n % 2000 = 0 THEN 'Rare' ELSE 'Card' END, n
      FROM boards b, generate_series(1, ${cards}::int) AS n WHERE b."publicId" = ${publicId}
      RETURNING id, "workspaceId")
    INSERT INTO card_members ("cardId", "memberId", "workspaceId")
    SELECT made.id, m.id, m."workspaceId" FROM made
    JOIN members m ON m."workspaceId" = made."workspaceId"`);
  await keepCards(app());
  await app().db.write(sql`ANALYZE`);
});

const page = async (query: string) => {
  const { status, body } = await workspace.admin.rest.get(`/users/me/cards?limit=100${query}`);
  expect(status).toBe(200);
  return body;
};

test("few cards that pass a filter are on one page, however many do not pass", async () => {
  const filter = JSON.stringify({ field: "title", op: "contains", value: "rare" });
  const { items, nextCursor } = await page(`&filter=${encodeURIComponent(filter)}`);
  const rare = Array.from({ length: cards / 2_000 }, (_, nth) => (nth + 1) * 2_000);
  expect(items.map(({ publicId }: { publicId: string }) => publicId)).toEqual(
    rare.map((n) => `mine${String(n).padStart(8, "0")}`),
  );
  expect(nextCursor).toBeNull();
});

test("a page without a filter reads its cards, and few others", async () => {
  const reads = await rowsRead(app(), () => page(""));
  // Each card is read with its list, its board and its assignment.
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(1_000);
});
