import { beforeAll, describe, expect, test } from "vitest";
import { policy } from "../../../src/contract/policy.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let member: Awaited<ReturnType<typeof join>>;
let boards: string;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  member = await join(app(), workspace, "member");
  boards = `/workspaces/${workspace.publicId}/boards`;
});

const isPublic = { visibility: "public" };
const create = async (user: As, fields: object = {}) =>
  (await user.rest.post(boards, { name: "Plan", ...fields })).body.publicId as string;

/** Every operation that can make a board public, as a call by a member without board:edit. */
const calls: Record<string, () => Promise<{ status: number }>> = {
  "board.create": () => member.rest.post(boards, { name: "Plan", ...isPublic }),
  "board.update": async () => member.rest.put(`/boards/${await create(member)}`, isPublic),
  "board.restore": async () => {
    const id = await create(member);
    await workspace.admin.rest.put(`/boards/${id}`, isPublic);
    await member.rest.delete(`/boards/${id}`);
    return member.rest.post(`/boards/${id}/restore`);
  },
  "board.move": async () => {
    const source = await makeWorkspace(app(), member);
    const path = `/workspaces/${source.publicId}/boards`;
    const { body } = await member.rest.post(path, { name: "Plan", ...isPublic });
    return member.rest.post(`/boards/${body.publicId}/move`, {
      workspacePublicId: workspace.publicId,
    });
  },
};

describe("a public board", () => {
  test.each(Object.keys(calls))("needs board:edit in %s, from its creator too", async (name) => {
    expect((await calls[name]?.())?.status).toBe(403);
  });

  test("needs board:edit as a copy", async () => {
    const sourceBoardPublicId = await create(workspace.admin);
    const copy = { name: "Copy", sourceBoardPublicId, ...isPublic };
    expect((await member.rest.post(boards, copy)).status).toBe(403);
  });

  test("has a case here for every operation that emits a board with its visibility", () => {
    const emitting = Object.entries(policy).flatMap(([name, rule]) =>
      "emits" in rule &&
      rule.emits.some((type) => /^board\.(created|updated|restored|moved)$/.test(type))
        ? [name]
        : [],
    );
    expect(emitting.filter((name) => name.startsWith("board.")).toSorted()).toEqual(
      Object.keys(calls).toSorted(),
    );
  });
});

test("a creator who is demoted to guest can neither change nor delete their board", async () => {
  const creator = await join(app(), workspace, "member");
  const path = `/boards/${await create(creator)}`;
  expect((await creator.rest.put(path, { name: "Mine" })).status).toBe(200);
  const role = `/workspaces/${workspace.publicId}/members/${creator.memberPublicId}/role`;
  expect((await workspace.admin.rest.put(role, { role: "guest" })).status).toBe(200);
  expect((await creator.rest.put(path, isPublic)).status).toBe(403);
  expect((await creator.rest.put(path, { name: "Still mine" })).status).toBe(403);
  expect((await creator.rest.delete(path)).status).toBe(403);
});
