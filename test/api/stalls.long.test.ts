import { pino } from "pino";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { signUp } from "../bench/api.ts";
import { withService } from "../fuzz/service.ts";
import { fill } from "../transfer/exports/many.ts";

/** The documented limit of cards of a board. */
const cards = 50_000;
/** The CPU time of the longest iteration of the event loop, in ms. */
const longest = 100;

test("no operation holds the event loop while it works on a board of 50,000 cards", async () => {
  const found = await withService(async (server, databaseUrl) => {
    const api = await signUp(server.origin, "Owner");
    const { publicId: home } = await api.post("/workspaces", { name: "Large" });
    const { publicId: other } = await api.post("/workspaces", { name: "Other" });
    const lists = ["One", "Two"];
    const board = await api.post(`/workspaces/${home}/boards`, { name: "Board", lists });
    const target = await api.post(`/workspaces/${home}/boards`, { name: "Target", lists });
    const [one, two] = board.lists.map(({ publicId }: { publicId: string }) => publicId);
    const db = await openDatabase(databaseUrl, 4, pino({ level: "error" }));
    await fill({ db }, one, { cards });
    await db.close();
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
      "list.sort": () => api.post(`/lists/${one}/sort`, { by: "title", order: "desc" }),
      "card.bulkUpdate": async () => {
        const { items } = await api.get(`${onBoard}/cards?limit=100`);
        const cardPublicIds = items.map(({ publicId }: { publicId: string }) => publicId);
        await api.post(`${onBoard}/cards/bulk`, { cardPublicIds, set: { isComplete: true } });
      },
      "workspace.snapshot": () => download(`/workspaces/${home}/snapshot`),
      "workspace.export": () => download(`/workspaces/${home}/export`),
      "board.exportCsv": () => download(`${onBoard}/cards.csv`),
      "board.create": () =>
        api.post(`/workspaces/${home}/boards`, {
          name: "Copy",
          sourceBoardPublicId: board.publicId,
        }),
      "list.moveCards": () => api.post(`/lists/${one}/move-cards`, { targetListPublicId: two }),
      "list.moveCards to another board": () =>
        api.post(`/lists/${two}/move-cards`, { targetListPublicId: target.lists[0].publicId }),
      "board.move": () => api.post(`/boards/${target.publicId}/move`, { workspacePublicId: other }),
    };
    const stalls: Record<string, number> = {};
    for (const [name, run] of Object.entries(steps)) {
      await server.stall();
      await run();
      stalls[name] = Math.round((await server.stall()).ms);
    }
    return stalls;
  });
  const slow = Object.entries(found).filter(([, ms]) => ms > longest);
  expect({ slow, found }).toEqual({ slow: [], found });
}, 600_000);
