import { parseArgs } from "node:util";
import { signUp, type Api } from "./api.ts";
import { startBuilt, type Server } from "./servers.ts";
import { withDatabase } from "./setting.ts";
import { startReceivers, type Receivers } from "./receivers.ts";
import { makeLists } from "./world.ts";
import { withConstants } from "../support/config.ts";

// The rate of deliveries, and whether failing receivers delay the others:
// npm run bench:deliveries -- [--backlog 4000] [--writes 200]
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    backlog: { type: "string", default: "4000" },
    writes: { type: "string", default: "200" },
    profile: { type: "string" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const ms = (value: number | undefined) => `${(value ?? Number.NaN).toFixed(1)} ms`;
const at = (sorted: number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1];

/** A new user's workspace with a list, and webhooks at some paths. */
async function makeTenant(
  origin: string,
  receivers: Receivers,
  paths: string[],
  fields: object = {},
) {
  const api = await signUp(origin);
  const [[list = ""] = []] = await makeLists(api, { boards: 1, lists: 1, together: true });
  const [{ workspace }] = await api.get("/workspaces");
  const root = `/workspaces/${workspace.publicId}/webhooks`;
  const add = async (path: string) => {
    const url = receivers.url + path;
    return (await api.post(root, { name: path, url, events: ["card.*"], ...fields })).publicId;
  };
  return { api, list, root, add, hooks: await Promise.all(paths.map(add)) };
}

const write = (api: Api, list: string, n: number) =>
  api.post("/cards", { title: `Card ${n}: what is to be done`, listPublicId: list });

/** Deliveries per second from a backlog, to one webhook or divided among several. */
async function drain(service: Server, receivers: Receivers, count: number, hooks: number) {
  const { api, list, root, add } = await makeTenant(service.origin, receivers, []);
  const since = new Date(Date.now() - 60_000).toISOString();
  const events = Math.ceil(count / hooks);
  for (let n = 0; n < events; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => write(api, list, n + more)));
  }
  const ids = await Promise.all(Array.from({ length: hooks }, (_, n) => add(`/${n}`)));
  let first = 0;
  let arrived = 0;
  const all = new Promise<number>((resolve) =>
    receivers.listen((_path, _id, now) => {
      first ||= now;
      if (++arrived === events * hooks) resolve(now);
    }),
  );
  const before = await service.cpu();
  await Promise.all(ids.map((id) => api.post(`${root}/${id}/replay`, { since })));
  const seconds = ((await all) - first) / 1_000;
  say(
    `${hooks} webhooks, ${arrived} deliveries: ${Math.round(arrived / seconds)} a second, ${Math.round(((await service.cpu()) - before) / arrived)} µs of CPU each`,
  );
}

/** The time from a response to the arrival of its deliveries, with a mutation every 50 ms. */
async function latency(origin: string, receivers: Receivers, writes: number, paths: string[]) {
  const { api, list } = await makeTenant(origin, receivers, paths);
  const good = paths.filter((path) => path !== "/slow" && path !== "/dead");
  const answered: number[] = [];
  const arrived: { path: string; at: number }[] = [];
  receivers.listen((path, _id, now) => void arrived.push({ path, at: now }));
  for (let n = 0; n < writes; n++) {
    await write(api, list, n);
    answered.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  while (arrived.filter(({ path }) => good.includes(path)).length < writes * good.length) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const late = good.flatMap((path) =>
    arrived.filter((one) => one.path === path).map((one, n) => one.at - (answered[n] ?? 0)),
  );
  const sorted = late.toSorted((one, other) => one - other);
  say(
    `${paths.length} webhooks, ${paths.length - good.length} of them bad, ${sorted.length} deliveries to good ones: ` +
      `p50 ${ms(at(sorted, 0.5))}, p95 ${ms(at(sorted, 0.95))}, p99 ${ms(at(sorted, 0.99))}, last ${ms(sorted.at(-1))}`,
  );
}

await withDatabase(async ({ atEnd, ...common }) => {
  const env = {
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
    ...withConstants({ WEBHOOK_ACCOUNT_RATE: 10_000 }),
  };
  const service = await startBuilt({ ...common, env });
  atEnd(() => service.stop());
  const receivers = await startReceivers();
  atEnd(() => receivers.close());
  const { origin } = service;
  const [backlog, writes] = [Number(values.backlog), Number(values.writes)];
  await drain(service, receivers, backlog, 1);
  if (values.profile !== undefined) {
    await service.profiled(values.profile, () => drain(service, receivers, backlog, 1));
  }
  await drain(service, receivers, backlog, 50);
  await latency(origin, receivers, writes, ["/one"]);
  const others = Array.from({ length: 48 }, (_, n) => `/good/${n}`);
  await latency(origin, receivers, Math.ceil(writes / 2), [...others, "/slow", "/dead"]);
});
