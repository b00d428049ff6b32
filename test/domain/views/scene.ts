import { expect } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import type { App } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";

/** A workspace with two boards, cards on both, and a member. */
export async function makeScene(app: App) {
  const workspace = await makeWorkspace(app);
  const { rest } = workspace.admin;
  const [one, two] = [await makeBoard(workspace), await makeBoard(workspace)];
  const card = async (list: string | undefined, title: string, more: object = {}) => {
    const { body } = await rest.post("/cards", { title, listPublicId: list, ...more });
    return String(body.publicId);
  };
  const path = `/workspaces/${workspace.publicId}/views`;
  const save = async (body: object, by = rest) => {
    const reply = await by.post(path, { name: "A view", ...body });
    expect([reply.status, reply.body.issues]).toEqual([200, undefined]);
    return reply.body;
  };
  const titles = async (
    view: { publicId: string },
    query: Record<string, string> = {},
    by = rest,
  ) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const given = new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      const { status, body } = await by.get(`/views/${view.publicId}/cards?${given.toString()}`);
      expect([status, body.issues]).toEqual([200, undefined]);
      found.push(...body.items.map(({ title }: { title: string }) => title));
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  const names = async (by = rest) =>
    (await by.get(path)).body.map(({ name }: { name: string }) => name);
  const member = await join(app, workspace, "member");
  const guest = await join(app, workspace, "guest");
  const events = (type: string) => eventsIn(app, workspace.publicId, type);
  return { workspace, rest, one, two, card, path, save, titles, names, member, guest, events };
}
