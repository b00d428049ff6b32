import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { insertLink } from "../../support/rows.ts";
import { png, start, upload } from "./files.ts";

const app = useApp();

async function withFile() {
  const world = await start(app());
  const { body } = await upload(app(), world.user, world.card, png, { filename: "tree.png" });
  return { ...world, id: String(body.publicId) };
}

describe("attachment.fileUrl", () => {
  test("answers a URL for five minutes", async () => {
    const { user, id } = await withFile();
    const { status, body } = await user.rest.get(`/attachments/${id}/file-url`);
    expect([status, Object.keys(body)]).toEqual([200, ["url", "expiresAt"]]);
    expect(body.url).toMatch(
      new RegExp(`^${app().deps.baseUrl}/api/v1/attachments/${id}/file\\?token=v1\\.`),
    );
    const lifetime = Date.parse(body.expiresAt) - app().deps.clock().getTime();
    expect(lifetime).toBeGreaterThan(4 * 60_000);
    expect(lifetime).toBeLessThanOrEqual(5 * 60_000);
  });

  test("needs access to the card", async () => {
    const { workspace, board, id } = await withFile();
    const member = await join(app(), workspace, "member");
    await workspace.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    expect((await member.rest.get(`/attachments/${id}/file-url`)).status).toBe(403);
  });

  test("is 404 for a link, which has its own address", async () => {
    const { user, card } = await withFile();
    const link = await insertLink(app(), card);
    const { status, body } = await user.rest.get(`/attachments/${link}/file-url`);
    expect([status, body.issues[0].code]).toEqual([404, "is_link"]);
  });
});
