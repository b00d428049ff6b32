import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { pino } from "pino";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { signUp } from "./api.ts";
import { fillLarge, wordOf } from "./fill-large.ts";
import { fillBoard, timeLongOperations } from "./long-operations.ts";
import { startBuilt } from "./servers.ts";
import { withDatabase } from "./setting.ts";
import { makePlace, makeTenant, timeOperations } from "./twenty-operations.ts";

// A large workspace beside small ones: its searches, and the most used operations in it, in a small
// workspace beside it, and in a small database. The folder of the database is filled once:
// npm run bench:large -- --data folder

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    data: { type: "string" },
    boards: { type: "string", default: "300" },
    cards: { type: "string", default: "1000000" },
    tenants: { type: "string", default: "100" },
    only: { type: "string" },
    calls: { type: "string", default: "30" },
  },
});

const vocabulary = 20_000;
const [common, medium, rare] = [
  { from: 1, to: 20 },
  { from: 200, to: 2_000 },
  { from: 10_000, to: vocabulary },
];
type Range = typeof common;
const pick = ({ from, to }: Range) => wordOf(from + Math.floor(Math.random() * (to - from)));
/** Two letters change places. */
const misspell = (word: string) => word.slice(0, 2) + word[3] + word[2] + word.slice(4);

const kinds: Record<string, () => string> = {
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((count) => [
      [`${count} common`, () => Array.from({ length: count }, () => pick(common)).join(" ")],
      [`${count} medium`, () => Array.from({ length: count }, () => pick(medium)).join(" ")],
      [`${count} rare`, () => Array.from({ length: count }, () => pick(rare)).join(" ")],
      [
        `${count} misspelt`,
        () => Array.from({ length: count }, () => misspell(pick(rare))).join(" "),
      ],
    ]),
  ),
  "common and rare": () => `${pick(common)} ${pick(rare)}`,
  "a prefix of two letters": () => pick(medium).slice(0, 2),
  "a number": () => String(Math.ceil(Math.random() * Number(values.cards))),
  "nothing like it": () => "xxxqqq yyyzzz",
};

const percentile = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

const { data } = values;
if (data === undefined) throw new Error("Name the folder of the database: --data folder");
const isFilled = existsSync(join(data, "postgres"));
const log = pino({ level: "error" });
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { url, stop } = await startEmbedded({ dataDir: data, log });
await migrate(url, log);
const client = new pg.Client({ connectionString: url });
await client.connect();
const secret = "a secret of a benchmark, 32 characters";
const server = await startBuilt({ databaseUrl: url, secret, cwd: data });

/** Adds a user to the large workspace. */
const addMember = (token: string, workspace: string, role: string) =>
  client.query(
    `INSERT INTO members ("publicId", "workspaceId", "userId", email, "roleId", status)
     SELECT substr(md5(random()::text), 1, 12), w.id, u.id, u.email, r.id, 'active'
     FROM workspaces w JOIN roles r ON r."workspaceId" = w.id AND lower(r.name) = $1, users u
     WHERE w."publicId" = $2 AND u."publicId" = $3
     ON CONFLICT DO NOTHING`,
    [role, workspace, JSON.parse(atob(token.split(".")[1] ?? "")).sub],
  );

async function timeSearches(workspace: string, token: string): Promise<void> {
  const call = async (path: string) => {
    const began = performance.now();
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await response.text();
    return { ms: performance.now() - began, status: response.status };
  };
  for (const [kind, query] of Object.entries(kinds)) {
    const times: number[] = [];
    const statuses = new Set<number>();
    for (let nth = 0; nth < Number(values.calls); nth++) {
      const path = `/workspaces/${workspace}/search?query=${encodeURIComponent(query())}`;
      const { ms, status } = await call(path);
      times.push(ms);
      statuses.add(status);
    }
    const figures = [0.5, 0.95, 1].map((part) => percentile(times, part).toFixed(1).padStart(9));
    say(`${kind.padEnd(26)}${figures.join("")}  ${[...statuses].join()}`);
  }
}

try {
  const admin = await signUp(server.origin);
  const member = await signUp(server.origin);
  if (!isFilled) {
    for (let nth = 0; nth < Number(values.tenants); nth++) await makeTenant(server.origin);
    await admin.post("/workspaces", { name: "Large" });
    const [boards, cards] = [Number(values.boards), Number(values.cards)];
    await fillLarge(client, { boards, cards, vocabulary });
  }
  const { rows } = await client.query<{ publicId: string }>(
    `SELECT "publicId" FROM workspaces WHERE name = 'Large'`,
  );
  const workspace = rows[0]?.publicId ?? "";
  await addMember(admin.token, workspace, "admin");
  await addMember(member.token, workspace, "member");
  if (values.only !== "operations") {
    for (const [who, { token }] of Object.entries({ admin, member })) {
      say(`as ${who}`);
      await timeSearches(workspace, token);
    }
  }
  if (values.only !== "searches") {
    await withDatabase(async (setting) => {
      const small = await startBuilt(setting);
      setting.atEnd(() => small.stop());
      const filled = { setting: { databaseUrl: url, secret, cwd: data }, token: admin.token };
      const perBoard = Number(values.cards) / Number(values.boards);
      await timeLongOperations(await fillBoard(setting, small, perBoard), filled, say);
      const places = {
        small: await makeTenant(small.origin),
        beside: await makeTenant(server.origin),
        large: await makePlace(admin, server.origin, { publicId: workspace }),
      };
      await timeOperations(places, Number(values.calls), say);
    });
  }
} finally {
  await server.stop();
  await client.end();
  await stop();
}
