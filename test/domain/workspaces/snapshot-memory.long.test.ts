import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

// A database of its own: statistics of other tests, such as of one card with all comments, would slow it.
const app = useApp({ isolated: true });
const cards = 20_000;
const megabyte = 1024 * 1024;
/** What a snapshot may need: much less than it has. */
const bound = 12 * megabyte;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** What is alive in memory, in bytes. */
function alive(): number {
  collect();
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

let workspace: Workspace;
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  await fill(app(), lists[0] ?? "", { cards, comments: 2, items: 2 });
});

test.each(["identity", "gzip"])(
  "a snapshot of many cards needs little memory: %s",
  async (name) => {
    const query = "checklists=true&comments=true&attachments=true";
    const url = `http://service/api/v1/workspaces/${workspace.publicId}/snapshot?${query}`;
    const headers = { Authorization: `Bearer ${workspace.admin.token}`, "Accept-Encoding": name };
    // Not `app().fetch`, which reads whole answers.
    const response = await createApp(app().deps).fetch(new Request(url, { headers }));
    expect([response.status, response.headers.get("content-encoding") ?? "identity"]).toEqual([
      200,
      name,
    ]);
    const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    const text = name === "gzip" ? body.pipeThrough(new DecompressionStream("gzip")) : body;
    const before = alive();
    let [bytes, measured, most] = [0, 0, 0];
    for await (const chunk of text) {
      bytes += chunk.length;
      if (bytes - measured < 4 * megabyte) continue;
      measured = bytes;
      most = Math.max(most, alive() - before);
    }
    expect(bytes).toBeGreaterThan(2 * bound);
    expect(most).toBeLessThan(bound);
  },
);
