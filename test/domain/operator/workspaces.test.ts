import { expect, test } from "vitest";
import { upload } from "../attachments/files.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { withoutAdmins } from "../../support/operator.ts";

const ADMIN_KEY = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY, TRASH_DAYS: "30" }, isolated: true });
const workspaces = "/operator/workspaces";

const rest = () => {
  const caller = as(app()).rest;
  const headers = { "X-Admin-Key": ADMIN_KEY };
  return {
    get: (path: string) => caller.get(path, { headers }),
    put: (path: string, body: object) => caller.put(path, body, { headers }),
    post: (path: string, body?: object) => caller.post(path, body, { headers }),
    delete: (path: string) => caller.delete(path, undefined, { headers }),
  };
};

test("workspaces are listed with their sizes, in each order", async () => {
  const [small, large] = [await makeWorkspace(app()), await makeWorkspace(app())];
  const { lists } = await makeBoard(large);
  const card = await makeCard(large.admin, lists[0] ?? "");
  await makeCard(large.admin, lists[0] ?? "");
  await upload(app(), large.admin, card, "twelve bytes");
  const newer = await makeWorkspace(app());
  const listed = async (query: string) =>
    (await rest().get(`${workspaces}?${query}`)).body.items.map(
      ({ publicId }: { publicId: string }) => publicId,
    );
  expect(await listed("sort=created")).toEqual([newer, large, small].map((one) => one.publicId));
  for (const sort of ["cards", "events", "files"])
    expect((await listed(`sort=${sort}`))[0]).toBe(large.publicId);
  expect((await listed("sort=activity"))[0]).toBe(newer.publicId);
  await large.admin.rest.put(`/workspaces/${large.publicId}`, { description: "Changed" });
  expect((await listed("sort=activity"))[0]).toBe(large.publicId);
  await join(app(), small, "member");
  expect((await listed("sort=members"))[0]).toBe(small.publicId);
  const pages: string[] = [];
  let cursor = "";
  do {
    const { body } = await rest().get(`${workspaces}?sort=cards&limit=1${cursor}`);
    pages.push(body.items[0].publicId);
    cursor = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`;
  } while (cursor !== "");
  expect(pages.toSorted()).toEqual([small, large, newer].map((one) => one.publicId).toSorted());
  const { body } = await rest().get(`${workspaces}?find=${large.slug}`);
  expect(body.items).toEqual([
    expect.objectContaining({
      publicId: large.publicId,
      cardCount: 2,
      fileBytes: 12,
      memberCount: 1,
      adminCount: 1,
      attachmentsQuota: null,
      lastActivityAt: app().deps.clock().toISOString(),
      deletedAt: null,
    }),
  ]);
  expect(body.items[0].eventCount).toBeGreaterThanOrEqual(5);
});

test("a workspace has its own quota of files, until it has that of the service again", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const card = await makeCard(workspace.admin, lists[0] ?? "");
  const path = `${workspaces}/${workspace.slug}`;
  const { body } = await rest().put(path, { attachmentsQuota: 1 });
  expect(body).toMatchObject({ publicId: workspace.publicId, attachmentsQuota: 1 });
  const mebibyte = "x".repeat(1024 * 1024);
  expect((await upload(app(), workspace.admin, card, mebibyte)).status).toBe(200);
  expect(await upload(app(), workspace.admin, card, "more")).toMatchObject({
    status: 409,
    body: { issues: [{ code: "quota_exceeded", message: expect.stringContaining(" 1 MiB") }] },
  });
  await rest().put(path, { attachmentsQuota: null });
  expect((await upload(app(), workspace.admin, card, "more")).status).toBe(200);
  expect((await rest().put(path, { attachmentsQuota: 0 })).status).toBe(400);
});

test("a workspace goes to the trash and back; its log names an operator and not from where", async () => {
  const { publicId, admin } = await makeWorkspace(app());
  const path = `${workspaces}/${publicId}`;
  expect((await rest().delete(path)).body.deletedAt).not.toBeNull();
  expect((await rest().delete(path)).status).toBe(404);
  expect((await admin.rest.get(`/workspaces/${publicId}`)).status).toBe(404);
  const trash = await rest().get(`${workspaces}?deleted=true&find=${publicId}`);
  expect(trash.body.items).toHaveLength(1);
  expect((await rest().post(`${path}/restore`)).body.deletedAt).toBeNull();
  expect((await rest().post(`${path}/restore`)).status).toBe(404);
  const { body } = await admin.rest.get(`/workspaces/${publicId}/audit`);
  expect(body.items.slice(0, 2)).toMatchObject([
    {
      type: "workspace.restored",
      actor: { type: "system", publicId: null, name: "operator" },
      ip: null,
    },
    {
      type: "workspace.deleted",
      actor: { type: "system", publicId: null, name: "operator" },
      ip: null,
    },
  ]);
  await rest().delete(path);
  app().advance(31 * 24 * 60 * 60_000);
  expect((await rest().post(`${path}/restore`)).status).toBe(404);
  app().resetClock();
});

test("only a workspace without an admin gets one: a member, or an account from outside", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const stranger = await makeUser(app());
  const { publicId } = workspace;
  const path = `${workspaces}/${publicId}/admins`;
  const refused = await rest().post(path, { userPublicId: member.publicId });
  expect(refused).toMatchObject({ status: 409, body: { issues: [{ code: "has_admin" }] } });

  for (const user of [stranger, member]) {
    await withoutAdmins(app(), publicId);
    const listed = await rest().get(`${workspaces}?withoutAdmin=true&find=${publicId}`);
    expect(listed.body.items).toMatchObject([{ publicId, adminCount: 0 }]);
    const { status, body } = await rest().post(path, { userPublicId: user.publicId });
    expect({ status, role: body.role }).toEqual({ status: 200, role: "admin" });
    const { body: shown } = await user.rest.get(`/workspaces/${publicId}`);
    expect(shown.permissions).toContain("workspace:manage");
    expect((await rest().post(path, { userPublicId: user.publicId })).status).toBe(409);
  }
  const { body } = await member.rest.get(`/workspaces/${publicId}/audit?type=member.joined`);
  expect(body.items[0].actor).toEqual({ type: "system", publicId: null, name: "operator" });
});
