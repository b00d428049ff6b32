import { describe, expect, test } from "vitest";
import { SharedReads } from "../../../src/kernel/response-cache/shared-reads.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { useRoundTrips } from "../../support/round-trips.ts";
import { instances } from "./instances.ts";

const app = useApp({ isolated: true });
const count = useRoundTrips();

describe("shared reads", () => {
  test("give each call what was read after it came", async () => {
    const reads = new SharedReads<number>();
    let version = 0;
    const read = async () => {
      const seen = version;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return seen;
    };
    const first = reads.join("a", read);
    version = 1;
    const [second, third, other] = [
      reads.join("a", read),
      reads.join("a", read),
      reads.join("b", read),
    ];
    expect(await Promise.all([first, second, third, other])).toEqual([0, 1, 1, 1]);
    version = 2;
    expect(await reads.join("a", read)).toBe(2);
  });

  test("continue after one that fails", async () => {
    const reads = new SharedReads<string>();
    const failing = reads.join("a", () => Promise.reject(new Error("failed")));
    const next = reads.join("a", () => Promise.resolve("read"));
    await expect(failing).rejects.toThrow("failed");
    expect(await next).toBe("read");
  });

  test("of what they store happen once", async () => {
    const reads = new SharedReads<string>();
    let stored: string | undefined;
    let times = 0;
    const read = async () => {
      await Promise.resolve();
      times++;
      return (stored = "read");
    };
    const find = () => Promise.resolve(stored);
    const all = [1, 2, 3].map(() => reads.once("a", find, read));
    expect(await Promise.all(all)).toEqual(["read", "read", "read"]);
    expect(times).toBe(1);
  });
});

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  await makeCard(workspace.admin, board.lists[0] ?? "");
  const person = await join(app(), workspace, "member");
  const { one } = instances(app());
  const path = `/boards/${board.publicId}`;
  const readMany = (tokens: string[], times: number) =>
    Promise.all(
      Array.from({ length: times }, () => tokens)
        .flat()
        .map((token) => one.read(path, token)),
    );
  return { admin: workspace.admin, person, board, workspace, one, path, readMany };
}

describe("simultaneous calls for a board", () => {
  test("of any callers read it once", async () => {
    const { admin, person, one, readMany } = await scene();
    const boards = await readMany([admin.token, person.token], 5);
    for (const board of boards) expect(board).toEqual(boards[0]);
    expect(one.responses.counts.misses).toBe(1);
  });

  test("read a public board once", async () => {
    const { admin, board, workspace, one } = await scene();
    const { body } = await admin.rest.put(`/boards/${board.publicId}`, { visibility: "public" });
    const path = `/workspaces-by-slug/${workspace.slug}/boards/${body.slug}`;
    await Promise.all(Array.from({ length: 5 }, () => one.read(path, undefined)));
    expect(one.responses.counts.misses).toBe(1);
  });

  test("of one caller share their revalidations, and each caller is authorized", async () => {
    const { admin, person, board, one, path, readMany } = await scene();
    await readMany([admin.token, person.token], 1);
    const { statements } = await count(() => readMany([admin.token], 10));
    expect(statements).toHaveLength(2);
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await one.read(path, admin.token);
    const found = await readMany([admin.token, person.token], 3);
    expect(found.map(({ status }) => status)).toEqual([200, 403, 200, 403, 200, 403]);
  });
});
