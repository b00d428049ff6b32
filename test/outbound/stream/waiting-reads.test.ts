import { describe, expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { listen } from "../../support/listen.ts";
import { makeWorkspace } from "../../support/make.ts";

const app = useApp({ constants: { STREAM_LIMIT: 2 } });

type Waits = Record<string, (workspacePublicId: string, cursor: string) => string>;

/** The paths of each operation that waits, with a wait that no test lasts. */
const paths: Record<string, Waits> = {
  "workspace.events": {
    REST: (id, cursor) => `/api/v1/workspaces/${id}/events?wait=30&cursor=${cursor}`,
    tRPC: (workspacePublicId, cursor) => {
      const input = JSON.stringify({ workspacePublicId, wait: 30, cursor });
      return `/trpc/workspace.events?input=${encodeURIComponent(input)}`;
    },
  },
};

const cases = Object.entries(paths).flatMap(([name, waits]) =>
  Object.entries(waits).map(([protocol, pathOf]) => ({ name, protocol, pathOf })),
);

/** A server whose waits are counted, and a reader whose waits another test does not share. */
async function serveWaits() {
  const { deps } = app();
  const { hub } = deps;
  const counts = { begun: 0, ended: 0 };
  const watch: typeof hub.watch = async (...args) => {
    const watching = await hub.watch(...args);
    counts.begun++;
    const close = () => {
      watching.close();
      counts.ended++;
    };
    const next = watching.next.bind(watching);
    return { next, close, isReleased: watching.isReleased };
  };
  const { fetch: response } = createApp({ ...deps, hub: { ...hub, watch } });
  const server = await listen((request) => response(request));
  onTestFinished(() => server.close());
  const { admin, publicId } = await makeWorkspace(app());
  const { body } = await admin.rest.get(`/workspaces/${publicId}/events?cursor=now`);
  const headers = { Authorization: `Bearer ${admin.token}` };
  const wait = (pathOf: Waits[string], signal: AbortSignal) =>
    fetch(`${server.url}${pathOf(publicId, body.nextCursor)}`, { headers, signal });
  return { counts, wait };
}

test("every operation that waits has its paths here", () => {
  const waiting = routesOf(appRouter).filter(({ schema }) => "wait" in schema.shape);
  expect(waiting.map(({ name }) => name)).toEqual(Object.keys(paths));
});

describe.each(cases)("a read of $name that waits, over $protocol,", ({ pathOf }) => {
  test("ends when its client disconnects", async () => {
    const { counts, wait } = await serveWaits();
    const client = new AbortController();
    const response = wait(pathOf, client.signal);
    await expect.poll(() => counts.begun).toBe(1);
    client.abort();
    await expect(response).rejects.toThrow("aborted");
    await expect.poll(() => counts.ended).toBe(1);
  });

  test("counts as a stream of its user", async () => {
    const { counts, wait } = await serveWaits();
    const client = new AbortController();
    const responses = [wait(pathOf, client.signal), wait(pathOf, client.signal)];
    await expect.poll(() => counts.begun).toBe(2);
    expect((await wait(pathOf, client.signal)).status).toBe(429);
    client.abort();
    await Promise.allSettled(responses);
    await expect.poll(() => counts.ended).toBe(2);
    const again = new AbortController();
    const response = wait(pathOf, again.signal);
    await expect.poll(() => counts.begun).toBe(3);
    again.abort();
    await Promise.allSettled([response]);
    await expect.poll(() => counts.ended).toBe(3);
  });
});
