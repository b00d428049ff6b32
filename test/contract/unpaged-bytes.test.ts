import { expect, test } from "vitest";
import { adminOnly, permissions } from "../../src/contract/vocabulary/permissions.ts";
import { defaultLimits } from "../../src/contract/limits.ts";
import { local } from "../outbound/webhooks/hook.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../support/make.ts";

const app = useApp({ env: local, isolated: true });
const grantable = permissions.filter((permission) => !adminOnly.includes(permission));
const mebibyte = 1024 * 1024;

/** Text whose JSON is the longest: six bytes for each character. */
const longest = (characters: number) => "\u0001".repeat(characters);
/** The longest name that differs from others. */
const longestName = (characters: number, suffix: string) =>
  longest(characters - suffix.length) + suffix;

/** The bytes that a listing has more with one more entry. */
async function bytesOfEntry(list: () => Promise<unknown>, add: () => Promise<{ status: number }>) {
  const sizeOf = async () => Buffer.byteLength(JSON.stringify(await list()));
  const before = await sizeOf();
  expect((await add()).status).toBe(200);
  return (await sizeOf()) - before;
}

test("2,000 workspaces with the longest names are less than 8 MiB", async () => {
  const { rest } = await makeUser(app());
  const slug = `s${"0".repeat(63)}`;
  const bytes = await bytesOfEntry(
    async () => (await rest.get("/workspaces")).body,
    async () => {
      const fields = { name: longestName(64, "w"), description: longest(280), slug };
      const made = await rest.post("/workspaces", fields);
      return rest.put(`/workspaces/${made.body.publicId}`, { cardPrefix: "ABCDEFGHIJ" });
    },
  );
  // A custom role has a longer name than `admin`.
  const most = bytes + Buffer.byteLength(JSON.stringify(longest(64)));
  expect(most).toBeGreaterThan(2_000);
  expect(most * defaultLimits.memberships).toBeLessThan(8 * mebibyte);
});

test.each(["roles", "labels", "webhooks"] as const)(
  "%s with the longest texts are less than 8 MiB",
  async (kind) => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const board = await makeBoard(workspace);
    const home = `/workspaces/${workspace.publicId}`;
    const path = kind === "labels" ? `/boards/${board.publicId}/labels` : `${home}/${kind}`;
    const add = {
      roles: () => {
        const text = { name: longestName(64, "r"), description: longest(280) };
        return rest.post(path, { ...text, hierarchyLevel: 1, permissions: grantable });
      },
      labels: () => {
        const fields = { name: longestName(36, "l"), colourCode: "#ffffff" };
        return rest.post("/labels", { ...fields, boardPublicId: board.publicId });
      },
      webhooks: async () => {
        const { body } = await rest.get("/webhooks/events");
        const events = body.map(({ type }: { type: string }) => type).slice(0, 50);
        const url = `http://127.0.0.1:9/${longest(2_000)}`;
        return rest.post(path, { name: longestName(255, "h"), url, events });
      },
    };
    const bytes = await bytesOfEntry(async () => (await rest.get(path)).body, add[kind]);
    expect(bytes * defaultLimits[kind]).toBeLessThan(8 * mebibyte);
  },
);
