import { expect, onTestFinished, test, vi } from "vitest";
import { createClient, type EventOptions } from "../../src/client/index.ts";
import { useApp } from "../support/app.ts";
import { write } from "../support/feed.ts";
import { makeWorkspace } from "../support/make.ts";
import { waitFor } from "../support/wait.ts";

const app = useApp();

test("a reader that is too slow gets a resync, and all events in order", async () => {
  const { publicId, admin } = await makeWorkspace(app());
  const client = createClient({
    url: "http://boards.test",
    auth: { token: admin.token },
    fetch: (address, init) => app().fetch(new Request(address, init)),
  });
  const follow = (options: EventOptions) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const events = client.events(publicId, { ...options, signal: stop.signal });
    return async (count: number) => {
      const found: string[] = [];
      while (found.length < count) {
        const { value } = await events.next();
        found.push(value.id);
      }
      return found;
    };
  };
  const onResync = vi.fn<() => void>();
  let live = 0;
  const onConnection = () => void live++;
  const slow = follow({ onResync, onConnection });
  const quick = follow({ onConnection });
  const first = Promise.all([slow(1), quick(1)]);
  await waitFor(() => expect(live).toBe(2));
  const ids = await write(app(), publicId, 1);
  expect(await first).toEqual([ids, ids]);
  // The slow one does not read. The quick one shows that all events were sent.
  for (let round = 0; round < 20; round++) {
    const more = await write(app(), publicId, 100);
    ids.push(...more);
    expect(await quick(100)).toEqual(more);
  }
  expect(onResync).not.toHaveBeenCalled();
  expect(await slow(2_000)).toEqual(ids.slice(1));
  expect(onResync).toHaveBeenCalledTimes(1);
});
