import { pino } from "pino";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import type { Server } from "../bench/servers.ts";
import { signUp } from "../bench/api.ts";
import { withService } from "../fuzz/service.ts";
import { operations, routeOf } from "../kernel/access/call.ts";
import { fill } from "../transfer/exports/many.ts";
import { fillToLimits } from "./limits.ts";

/** The CPU time of the longest iteration of the event loop, in ms. */
const longest = 100;
const calls = 50;

/** A board and a card at the limits, with the longest texts, and their ids. */
async function makeScene({ origin }: Server, databaseUrl: string) {
  const { token, get, post } = await signUp(origin, "Owner");
  const workspace = await post("/workspaces", { name: "Large" });
  const labels = Array.from({ length: 20 }, (_, nth) => ({
    name: `${nth} ${"漢".repeat(30)}`,
    colourCode: "#336699",
  }));
  const board = await post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: ["One", "Two"],
    labels,
    visibility: "public",
  });
  const [one, two] = board.lists.map(({ publicId }: { publicId: string }) => publicId);
  const card = await post("/cards", { listPublicId: two, title: "Card" });
  const checklist = await post(`/cards/${card.publicId}/checklists`, { name: "Long" });
  const db = await openDatabase(databaseUrl, 4, pino({ level: "error" }));
  await fill({ db }, one, { cards: 3_000, comments: 1, events: 1 });
  await fillToLimits({ db }, board.publicId, card.publicId);
  await db.close();
  const { slug } = await get(`/boards/${board.publicId}`);
  const known = {
    workspacePublicId: workspace.publicId,
    boardPublicId: board.publicId,
    listPublicId: one,
    cardPublicId: card.publicId,
    labelPublicId: board.labels[0].publicId,
    checklistPublicId: checklist.publicId,
    workspaceSlug: workspace.slug,
    boardSlug: slug,
    cardNumber: "1",
    limit: 100,
    cardLimit: 200,
    query: "Card",
    slug: "abc",
  };
  return { token, known };
}

/** All reads that answer JSON. What the scene does not have is a short answer. */
const reads = operations.filter((name) => {
  const { more, procedure } = routeOf(name);
  return procedure._def.type === "query" && more.response === undefined;
});

test("no HTTP batch of reads at the limits holds the event loop", async () => {
  const found = await withService(async (server, databaseUrl) => {
    const { token, known } = await makeScene(server, databaseUrl);
    const stalls: Record<string, number> = {};
    for (const name of reads) {
      const { shape } = routeOf(name).schema;
      const input = Object.fromEntries(Object.entries(known).filter(([field]) => field in shape));
      const inputs = Object.fromEntries(Array.from({ length: calls }, (_, nth) => [nth, input]));
      const names = Array.from({ length: calls }, () => name).join();
      const path = `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
      const headers = { Authorization: `Bearer ${token}` };
      await server.stall();
      const response = await fetch(server.origin + path, { headers });
      await response.arrayBuffer();
      stalls[name] = Math.round((await server.stall()).ms);
    }
    return stalls;
  });
  const slow = Object.entries(found).filter(([, ms]) => ms > longest);
  expect(Object.keys(found).length).toBeGreaterThan(30);
  expect({ slow, found }).toEqual({ slow: [], found });
}, 600_000);
