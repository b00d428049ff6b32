import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { pino } from "pino";
import { migrate } from "../../src/platform/db/migrate.ts";
import { buildCommit } from "../support/earlier-build.ts";
import { previousCommit } from "../upgrade/previous-release.ts";
import { signUp } from "./api.ts";
import { fillLarge } from "./fill-large.ts";
import { startBuilt, type Server } from "./servers.ts";
import { withDatabase } from "./setting.ts";

// An upgrade from the release before, while clients write: the schema is migrated, the new version
// starts beside the old one, and the old one stops. npm run bench:upgrade -- --cards 200000

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    cards: { type: "string", default: "200000" },
    boards: { type: "string", default: "60" },
    clients: { type: "string", default: "8" },
    seconds: { type: "string", default: "5" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const wait = () => pause(Number(values.seconds) * 1_000);

/** What the calls of one phase met. */
type Phase = { name: string; calls: number; failed: string[]; broken: number; longestMs: number };

/** Sends calls to the instances that say that they are ready, in turn. */
function balance() {
  const all = new Set<Server>();
  let ready: string[] = [];
  let turn = 0;
  const look = async () => {
    const origins = [...all].map(({ origin }) => origin);
    const answers = await Promise.all(
      origins.map((origin) => fetch(`${origin}/readyz`).catch(() => undefined)),
    );
    ready = origins.filter((_, nth) => answers[nth]?.status === 200);
  };
  const looking = setInterval(() => void look(), 200);
  return {
    add: (server: Server) => void all.add(server),
    remove: (server: Server) => void all.delete(server),
    look,
    next: () => ready[turn++ % ready.length] ?? "",
    end: () => clearInterval(looking),
  };
}

/** Clients that write until they are stopped. */
function startWriting(next: () => string, token: string, lists: string[]) {
  const phases: Phase[] = [];
  const enter = (name: string) =>
    phases.push({ name, calls: 0, failed: [], broken: 0, longestMs: 0 });
  enter("before");
  const acknowledged: string[] = [];
  let isOver = false;
  async function write(method: string, path: string, body: object) {
    const began = performance.now();
    const phase = phases.at(-1);
    if (phase === undefined) throw new Error("No phase.");
    phase.calls++;
    try {
      const response = await fetch(`${next()}/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const answer: any = await response.json();
      phase.longestMs = Math.max(phase.longestMs, performance.now() - began);
      if (response.ok) return answer;
      phase.failed.push(`${response.status} ${answer.code}`);
    } catch {
      phase.broken++;
    }
    return undefined;
  }
  const clients = Array.from({ length: Number(values.clients) }, async (_, client) => {
    const listPublicId = lists[client % lists.length];
    for (let nth = 0; !isOver; nth++) {
      const card = await write("POST", "/cards", { listPublicId, title: `Card ${client} ${nth}` });
      if (card === undefined) continue;
      acknowledged.push(card.publicId);
      await write("PUT", `/cards/${card.publicId}`, { description: "A text", index: 0 });
      const comment = await write("POST", `/cards/${card.publicId}/comments`, { comment: "Yes" });
      if (comment !== undefined) acknowledged.push(comment.publicId);
    }
  });
  return {
    phases,
    enter,
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

const commit = previousCommit();
if (!commit) throw new Error("The history of git is not here.");
const { program, remove } = await buildCommit(commit);
try {
  await withDatabase(
    async ({ atEnd, ...common }) => {
      const env = { DRAIN_SECONDS: "2" };
      const old = await startBuilt({ ...common, env, program });
      const client = new pg.Client(common.databaseUrl);
      await client.connect();
      atEnd(() => client.end());
      const api = await signUp(old.origin);
      const workspace = await api.post("/workspaces", { name: "Large" });
      const [boards, cards] = [Number(values.boards), Number(values.cards)];
      await fillLarge(client, { boards, cards, vocabulary: 20_000 });
      const board = await api.post(`/workspaces/${workspace.publicId}/boards`, {
        name: "Written to",
        lists: ["One", "Two", "Three", "Four"],
      });
      const balancer = balance();
      balancer.add(old);
      await balancer.look();
      const lists = board.lists.map(({ publicId }: { publicId: string }) => publicId);
      const writing = startWriting(balancer.next, api.token, lists);
      await wait();
      writing.enter("the schema is migrated");
      const began = performance.now();
      await migrate(common.databaseUrl, pino({ level: "silent" }));
      const migrated = (performance.now() - began) / 1_000;
      writing.enter("the old version serves the new schema");
      await wait();
      writing.enter("both serve");
      const current = await startBuilt({ ...common, env });
      atEnd(() => current.stop());
      balancer.add(current);
      await wait();
      writing.enter("the old one stops");
      await old.stop();
      balancer.remove(old);
      writing.enter("after");
      await wait();
      await writing.stop();
      balancer.end();
      const { rows } = await client.query<{ count: string }>(
        `SELECT (SELECT count(*) FROM cards WHERE "publicId" = ANY($1))
           + (SELECT count(*) FROM comments WHERE "publicId" = ANY($1)) AS count`,
        [writing.acknowledged],
      );
      say(`${cards.toLocaleString("en")} cards; migrated in ${migrated.toFixed(1)} s`);
      for (const { name, calls, failed, broken, longestMs } of writing.phases) {
        const figures = `${calls} calls, longest ${longestMs.toFixed(0)} ms, ${broken} broken`;
        say(`${name}: ${figures}, failed: ${failed.join(", ") || "none"}`);
      }
      const lost = writing.acknowledged.length - Number(rows[0]?.count);
      say(`${writing.acknowledged.length} acknowledged, ${lost} lost`);
    },
    { isMigrated: false },
  );
} finally {
  await remove();
}
