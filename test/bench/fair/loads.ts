import { setTimeout as pause } from "node:timers/promises";
import { repeat, openClient, type FairCall } from "./client.ts";
import { openSockets } from "../sockets.ts";
import { benchPassword, must, type Account } from "./world.ts";

/** Where a load runs: the service, a target that never answers, and the account that makes it. */
export type Scene = { origin: string; slowTarget: string; account: Account; ip: string };

/** One expensive kind of work of an account within its limits. Returns the statuses it got. */
export type Load = {
  name: string;
  /** How many lists have the cards of the account. */
  lists?: number;
  run: (scene: Scene, until: AbortSignal) => Promise<Map<number, number>>;
};

const parallel = 20;

/** Calls a tool of MCP. */
const tool = (name: string, args: object): FairCall => ({
  method: "POST",
  path: "/mcp",
  base: "",
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
});

const calling =
  (call: (account: Account, turn: number) => FairCall): Load["run"] =>
  ({ account }, until) => {
    let turn = 0;
    return repeat(account.client, parallel, () => call(account, turn++), until);
  };

const get =
  (path: (account: Account) => string): Load["run"] =>
  (scene, until) =>
    calling((account) => ({ method: "GET", path: path(account) }))(scene, until);

/** Moves all cards to the other list and back. */
const moveAll = (account: Account, turn: number): FairCall => ({
  method: "POST",
  path: `/lists/${account.lists[turn % 2]}/move-cards`,
  body: { targetListPublicId: account.lists[(turn + 1) % 2] },
});

/** All loads, in order. */
export const loads: Load[] = [
  { name: "nothing", run: async () => new Map() },
  { name: "board.get", run: get(({ board }) => `/boards/${board}`) },
  {
    name: "board.get with 50 keys",
    async run({ account, ip, origin }, until) {
      const statuses = new Map<number, number>();
      const path = `/boards/${account.board}`;
      const clients = [];
      for (let name = 0; name < 50; name++) {
        const permissions = ["board:view", "list:view", "card:view", "member:view"];
        const body = { name: `Key ${name}`, permissions };
        const call = { method: "POST", path: "/auth/api-keys", body } as const;
        const { key } = await must(account.client, call);
        clients.push(openClient(origin, ip, key));
      }
      const runs = clients.map((client) =>
        repeat(client, 1, () => ({ method: "GET", path }), until),
      );
      for (const run of await Promise.all(runs)) {
        for (const [status, count] of run)
          statuses.set(status, (statuses.get(status) ?? 0) + count);
      }
      await Promise.all(clients.map((client) => client.close()));
      return statuses;
    },
  },
  {
    name: "a board through /kan",
    run: calling(({ board }) => ({
      method: "GET",
      path: `/boards/${board}`,
      base: "/kan/api/v1",
    })),
  },
  {
    name: "board_get",
    lists: 50,
    run: calling(({ board }) => tool("board_get", { board })),
  },
  {
    name: "card_list, sorted",
    run: calling(({ board }) => tool("card_list", { board, sort: "updatedAt" })),
  },
  { name: "search", run: get(({ workspace }) => `/workspaces/${workspace}/search?query=what`) },
  { name: "cards by date", run: get(({ board }) => `/boards/${board}/cards?sort=updatedAt`) },
  { name: "export", run: get(({ workspace }) => `/workspaces/${workspace}/export`) },
  { name: "export as CSV", run: get(({ board }) => `/boards/${board}/cards.csv`) },
  {
    name: "import",
    async run({ account, ip, origin }, until) {
      const file = await fetch(`${origin}/api/v1/workspaces/${account.workspace}/export`, {
        headers: { Authorization: `Bearer ${account.token}`, "X-Forwarded-For": ip },
      });
      const bytes = Buffer.from(await file.arrayBuffer());
      const call = { method: "POST", path: "/imports/workspace", bytes } as const;
      return repeat(account.client, 3, () => call, until);
    },
  },
  { name: "move all cards", run: calling(moveAll) },
  {
    name: "delete and restore",
    run: calling(({ lists }, turn) =>
      turn % 2 === 0
        ? { method: "DELETE", path: `/lists/${lists[0]}` }
        : { method: "POST", path: `/lists/${lists[0]}/restore` },
    ),
  },
  {
    name: "copy the board",
    run: calling(({ workspace, board }) => ({
      method: "POST",
      path: `/workspaces/${workspace}/boards`,
      body: { name: "Copy", sourceBoardPublicId: board },
    })),
  },
  {
    name: "uploads of 10 MB",
    run: ({ account }, until) => {
      const bytes = Buffer.alloc(10 * 1024 * 1024, "text ");
      const path = `/cards/${account.card}/attachments?filename=file.txt`;
      return repeat(account.client, 5, () => ({ method: "POST", path, bytes }), until);
    },
  },
  {
    name: "webhooks to a slow target",
    async run(scene, until) {
      const { account, slowTarget } = scene;
      const path = `/workspaces/${account.workspace}/webhooks`;
      for (let count = 0; count < 20; count++) {
        const body = { name: `Hook ${count}`, url: `${slowTarget}/${count}`, events: ["card.*"] };
        await must(account.client, { method: "POST", path, body });
      }
      return calling(moveAll)(scene, until);
    },
  },
  {
    name: "50 streams",
    async run(scene, until) {
      const { account, origin } = scene;
      const path = `/api/v1/workspaces/${account.workspace}/events/stream`;
      const sockets = await openSockets(origin, path, Array(50).fill(account.token));
      const statuses = await calling((_, turn) => ({
        method: "PUT",
        path: `/cards/${account.card}`,
        body: { title: `Turn ${turn}` },
      }))(scene, until);
      sockets.close();
      return statuses;
    },
  },
  {
    name: "registrations",
    async run({ origin }, until) {
      const client = openClient(origin, "203.0.113.99");
      const body = (turn: number) => ({
        email: `flood-${turn}-${Date.now()}@example.com`,
        password: benchPassword,
        name: "Flood",
      });
      let turn = 0;
      const call = () => ({ method: "POST", path: "/auth/register", body: body(turn++) }) as const;
      const statuses = await repeat(client, 50, call, until);
      await client.close();
      return statuses;
    },
  },
  {
    name: "sign-ins",
    async run({ origin }, until) {
      const client = openClient(origin, "203.0.113.98");
      const body = { email: "unknown@example.com", password: benchPassword };
      const call = { method: "POST", path: "/auth/login", body } as const;
      const statuses = await repeat(client, 50, () => call, until);
      await client.close();
      return statuses;
    },
  },
];

/** Waits between two loads, so that the work of one does not count for the next. */
export const settle = () => pause(1_000);
