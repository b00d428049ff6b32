import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { schemaParts } from "../../../src/kernel/access/filter-output.ts";
import { readLarge, readShares } from "../../../src/kernel/request/expensive-work.ts";
import { bytesPerCall } from "../../../src/kernel/request/rate-limits.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ env: { RATE_LIMIT: "1000" }, isolated: true });

/** Reads whose handlers take turns for the part that may be large. */
const inHandler = [
  "board.get",
  "board.getBySlug",
  "card.get",
  "card.getByNumber",
  "workspace.events",
];

/** Reads with lists that take no turn, and what bounds them: below 1 MiB. */
const bounded = {
  "import.report": "500 examples",
  "import.trelloBoards": "an answer of Trello",
  "integration.githubProjects": "an answer of GitHub",
  "operator.user": "100 workspaces",
  "permission.ofMember": "the permissions",
  "permission.vocabulary": "the permissions",
  "secondFactor.list": "20 factors",
  "view.get": "one view, with 10,000 characters of filter",
  "view.groups": "1,000 groups",
  "board.groups": "1,000 groups",
  "webhook.delivery": "ten attempts, 4 kB of response each",
};

/** Whether the values of a schema have lists of objects. */
const hasList = (schema: z.core.$ZodType): boolean =>
  (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) ||
  schemaParts(schema).some(hasList);

const reads = routesOf(appRouter)
  .filter(({ definition }) => definition.type === "query")
  .map(({ operation: name, definition: { meta, output } }) => ({
    name,
    meta,
    output: output.schema,
  }));

test("each read of a list takes a turn, or its list is bounded", () => {
  const lists = reads.filter(({ output }) => output !== undefined && hasList(output));
  // `query` gives a turn to each list without pages; calls to other services have their own.
  const isWhole = ({ name, output }: (typeof reads)[number]) =>
    output instanceof z.ZodArray && !Object.hasOwn(bounded, name);
  const free = lists
    .filter((read) => read.meta.takesTurn !== true && !isWhole(read))
    .map(({ name }) => name);
  expect(free.toSorted()).toEqual([...inHandler, ...Object.keys(bounded)].toSorted());
});

const turnTaking = ["comment.list", "board.cards", "workspace.events", "workspace.list"];

test.each([...turnTaking, "label.list", "role.list", "webhook.list"])(
  "pages that wait are 429 when the answers before use up the limit: %s",
  async (name) => {
    const { deps } = app();
    const { admin, publicId, ...workspace } = await makeWorkspace(app());
    const board = await makeBoard({ admin, publicId, ...workspace });
    const card = await makeCard(admin, board.lists[0] ?? "");
    const paths: Record<string, string> = {
      "comment.list": `/cards/${card}/comments`,
      "board.cards": `/boards/${board.publicId}/cards`,
      "workspace.events": `/workspaces/${publicId}/events`,
      "workspace.list": "/workspaces",
      "label.list": `/boards/${board.publicId}/labels`,
      "role.list": `/workspaces/${publicId}/roles`,
      "webhook.list": `/workspaces/${publicId}/webhooks`,
    };
    const path = paths[name] ?? "";
    expect((await admin.rest.get(path)).status).toBe(200);
    const readAtLimit = async () => {
      let end = (): void => undefined;
      const turn = new Promise<void>((resolve) => (end = resolve));
      const client = `user ${admin.publicId}`;
      const before = Array.from({ length: readShares.perCaller }, () =>
        deps.reads.run(client, () => turn),
      );
      const reading = admin.rest.get(path);
      while (deps.reads.waiting === 0) await pause(5);
      const who = { credential: admin.publicId, user: client };
      await deps.limits.chargeBytes(who, 1_000 * bytesPerCall);
      end();
      await Promise.all(before);
      return (await reading).status;
    };
    // The window of the limit may end in between.
    let status = await readAtLimit();
    while (status === 200) status = await readAtLimit();
    expect(status).toBe(429);
  },
);

test("a read that waits for events holds no turn", async () => {
  const { deps } = app();
  const { admin, publicId, ...workspace } = await makeWorkspace(app());
  const count = readShares.perCaller + 1;
  // Events after this cursor end the wait, also when they are older than a read.
  const { body } = await admin.rest.get(`/workspaces/${publicId}/events?cursor=now`);
  const path = `/workspaces/${publicId}/events?cursor=${body.nextCursor}&wait=30`;
  const waiting = Array.from({ length: count }, () => admin.rest.get(path));
  // Each of them has read once.
  await expect.poll(() => deps.db.connections().waiting).toBe(0);
  expect((await admin.rest.get(`/workspaces/${publicId}/events`)).status).toBe(200);
  await makeBoard({ admin, publicId, ...workspace });
  for (const reply of await Promise.all(waiting)) expect(reply.status).toBe(200);
});

test("many networks leave turns to users", async () => {
  const { deps } = app();
  const { admin, publicId } = await makeWorkspace(app());
  let end = (): void => undefined;
  const turn = new Promise<void>((resolve) => (end = resolve));
  const checkLimit = () => Promise.resolve();
  const anonymous = Array.from({ length: readShares.size }, (_, nth) =>
    readLarge({ client: `network 192.0.2.${nth}`, checkLimit, deps }, () => turn),
  );
  expect((await admin.rest.get(`/workspaces/${publicId}/events`)).status).toBe(200);
  end();
  await Promise.all(anonymous);
});
