import { pino } from "pino";
import { expect, inject, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { signUp } from "../bench/api.ts";
import { withService } from "../fuzz/service.ts";
import { atThisPace } from "../support/pace.ts";
import { fill } from "../transfer/exports/many.ts";

/** The documented limit of cards of a board. */
const cards = 50_000;
/**
 * The CPU time of the longest iteration of the event loop, in ms. It is under 100 alone; beside other
 * tests, more of what arrives meanwhile is in one iteration.
 */
const longest = 150;

test("a board of 50,000 cards is copied, sorted and moved whole, and nothing holds the event loop", async () => {
  const found = await withService(
    async (server, databaseUrl) => {
      const api = await signUp(server.origin, "Owner");
      const { publicId: home } = await api.post("/workspaces", { name: "Large" });
      const { publicId: other } = await api.post("/workspaces", { name: "Other" });
      const lists = ["One", "Two"];
      const board = await api.post(`/workspaces/${home}/boards`, { name: "Board", lists });
      const target = await api.post(`/workspaces/${home}/boards`, { name: "Target", lists });
      const [one, two] = board.lists.map(({ publicId }: { publicId: string }) => publicId);
      const db = await openDatabase(databaseUrl, 4, pino({ level: "error" }));
      await fill({ db }, one, { cards });
      const count = async (from: Sql) =>
        (await db.read<{ count: number }>(sql`SELECT count(*)::int AS count FROM ${from}`))[0]
          ?.count;
      const cardsOn = (publicId: string) =>
        count(sql`cards c JOIN boards b ON b.id = c."boardId" WHERE b."publicId" = ${publicId}`);
      const cardsIn = (publicId: string) =>
        count(sql`cards c JOIN workspaces w ON w.id = c."workspaceId"
        WHERE w."publicId" = ${publicId}`);
      const moveCards = async (from: string, targetListPublicId: string) => {
        const moved = await api.post(`/lists/${from}/move-cards`, { targetListPublicId });
        expect(moved).toEqual({ moved: cards });
      };
      const onBoard = `/boards/${board.publicId}`;
      const download = async (path: string) => {
        const headers = { Authorization: `Bearer ${api.token}` };
        const response = await fetch(`${server.origin}/api/v1${path}`, { headers });
        expect(response.status).toBe(200);
        await response.arrayBuffer();
      };
      const steps: Record<string, () => Promise<unknown>> = {
        "board.get": () => api.get(onBoard),
        "board.cards": () => api.get(`${onBoard}/cards?limit=100`),
        "list.sort": async () => {
          const sorted = await api.post(`/lists/${one}/sort`, { by: "title", order: "desc" });
          expect(sorted).toMatchObject({ success: true });
        },
        "card.bulkUpdate": async () => {
          const { items } = await api.get(`${onBoard}/cards?limit=100`);
          const cardPublicIds = items.map(({ publicId }: { publicId: string }) => publicId);
          await api.post(`${onBoard}/cards/bulk`, { cardPublicIds, set: { isComplete: true } });
        },
        "workspace.snapshot": () => download(`/workspaces/${home}/snapshot`),
        "workspace.export": () => download(`/workspaces/${home}/export`),
        "board.exportCsv": () => download(`${onBoard}/cards.csv`),
        "board.create": async () => {
          const copied = { name: "Copy", sourceBoardPublicId: board.publicId };
          const { publicId } = await api.post(`/workspaces/${home}/boards`, copied);
          expect(await cardsOn(publicId)).toBe(cards);
        },
        "list.moveCards": () => moveCards(one, two),
        "list.moveCards to another board": () => moveCards(two, target.lists[0].publicId),
        "board.move": async () => {
          await api.post(`/boards/${target.publicId}/move`, { workspacePublicId: other });
          expect(await cardsIn(other)).toBe(cards);
        },
      };
      const stalls: Record<string, { ms: number; limit: number }> = {};
      try {
        for (const [name, run] of Object.entries(steps)) {
          await server.stall();
          await run();
          const { ms } = await server.stall();
          stalls[name] = { ms: Math.round(ms), limit: Math.round(atThisPace(longest)) };
        }
        expect(await count(sql`events WHERE type = 'card.moved'`)).toBe(2 * cards);
      } finally {
        await db.close();
      }
      return stalls;
    },
    {},
    inject("database").serviceData,
  );
  const slow = Object.entries(found).filter(([, { ms, limit }]) => ms > limit);
  expect({ slow, found }).toEqual({ slow: [], found });
});
