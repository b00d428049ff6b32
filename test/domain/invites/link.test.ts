import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp();
const day = 24 * 60 * 60 * 1000;

test("the link is shown to inviters, can be previewed by anyone, and can be deactivated", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const anonymous = as(app());
  const link = `/workspaces/${publicId}/invite`;
  expect((await admin.rest.get(link)).body).toEqual({ isActive: false });
  const { body: made } = await admin.rest.post(`/workspaces/${publicId}/invites`, {
    role: "guest",
  });
  expect((await admin.rest.get(link)).body).toEqual(made);
  const { body: name } = await admin.rest.get(`/workspaces/${publicId}`);
  const preview = { workspaceName: name.name, role: "guest", expiresAt: made.expiresAt };
  expect((await anonymous.rest.get(`/invites/${made.inviteCode}`)).body).toEqual(preview);
  expect(await anonymous.trpc.invite.get.query({ inviteCode: made.inviteCode })).toEqual(preview);
  expect((await admin.rest.delete(`/workspaces/${publicId}/invites`)).body).toEqual({
    success: true,
  });
  expect((await admin.rest.delete(`/workspaces/${publicId}/invites`)).body).toEqual({
    success: true,
  });
  expect((await admin.rest.get(link)).body).toEqual({ isActive: false });
  expect((await anonymous.rest.get(`/invites/${made.inviteCode}`)).status).toBe(404);
  const user = await makeUser(app());
  expect((await user.rest.post("/invites/accept", { inviteCode: made.inviteCode })).status).toBe(
    404,
  );
});

test("a used-up or expired link is inactive, and guests cannot read its code", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const guest = await join(app(), workspace, "guest");
  const link = `/workspaces/${publicId}/invite`;
  const anonymous = as(app());
  const make = async (body: object) =>
    (await admin.rest.post(`/workspaces/${publicId}/invites`, body)).body.inviteCode;
  const once = await make({ maxUses: 1 });
  expect((await guest.rest.get(link)).status).toBe(403);
  expect((await guest.rest.delete(`/workspaces/${publicId}/invites`)).status).toBe(403);
  await (await makeUser(app())).rest.post("/invites/accept", { inviteCode: once });
  expect((await admin.rest.get(link)).body).toEqual({ isActive: false });
  expect((await anonymous.rest.get(`/invites/${once}`)).status).toBe(404);
  const brief = await make({ expiresInDays: 1 });
  expect((await anonymous.rest.get(`/invites/${brief}`)).status).toBe(200);
  app().advance(day + 1);
  expect((await anonymous.rest.get(`/invites/${brief}`)).status).toBe(404);
  expect((await anonymous.rest.get("/invites/nosuchcode00")).status).toBe(404);
  expect((await anonymous.rest.get("/invites/short")).status).toBe(400);
});
