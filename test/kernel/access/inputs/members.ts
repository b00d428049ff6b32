import type { Operation } from "../../../../src/contract/policy.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { sql } from "../../../../src/platform/db/sql.ts";
import { makeUser, putApp, putMember } from "../fixtures.ts";
import { handedOut } from "../expected.ts";
import { readmit, setOnlyOverrides } from "../rows.ts";
import { account, lowMember, lowRole, text, type Who } from "../targets.ts";
import type { World } from "../world.ts";
import { on, onWorkspace, type Make } from "./make.ts";

/** The code of an invitation to another user's workspace. */
async function invitation({ app }: World): Promise<string> {
  const { rest } = await makeUser(app, "Host");
  const { body: workspace } = await rest.post("/workspaces", { name: text() });
  const { body } = await rest.post(`/workspaces/${workspace.publicId}/invites`, {});
  return body.inviteCode;
}

const ofLowMember = (more: object = {}) =>
  onWorkspace(async (world) => ({ memberPublicId: (await lowMember(world)).publicId, ...more }));

const onLowRole = (more: object = {}, held: string[] = []) =>
  onWorkspace(async (world) => ({
    rolePublicId: (await lowRole(world, held)).publicId,
    ...more,
  }));

const newRole = async (world: World) => (await lowRole(world, [])).publicId;

const serviceRoles = new WeakMap<World, Promise<string>>();

function newServiceRole(world: World): Promise<string> {
  const role = newRole(world);
  serviceRoles.set(world, role);
  return role;
}

/** A service account of the fixtures' workspace: its member's public id. */
async function serviceAccount(world: World): Promise<string> {
  const { fixtures } = world;
  const path = `/workspaces/${fixtures.ids.workspace}/service-accounts`;
  // One role for all of them: a workspace has a limit of roles.
  const rolePublicId = await (serviceRoles.get(world) ?? newServiceRole(world));
  const { body } = await fixtures.admin.rest.post(path, { name: text(), rolePublicId });
  return body.publicId;
}

/** A service account with a key. */
async function serviceKey(world: World) {
  const memberPublicId = await serviceAccount(world);
  const path = `/workspaces/${world.fixtures.ids.workspace}/service-accounts/${memberPublicId}/keys`;
  const { body } = await world.fixtures.admin.rest.post(path, { name: text() });
  return { memberPublicId, apiKeyPublicId: body.publicId };
}

const onServiceAccount = (more: object = {}) =>
  onWorkspace(async (world) => ({ memberPublicId: await serviceAccount(world), ...more }));

/** An app that a member has connected: its public id. */
async function connectedApp(world: World): Promise<string> {
  const { app, fixtures } = world;
  const user = await account(world);
  await putMember(fixtures, user, "guest");
  return putApp(app, user.id, "An app");
}

/** A member who can leave: the fixtures' only admin cannot, so another user does. */
async function leave({ app, fixtures }: World, who: Who | undefined) {
  const input = { workspacePublicId: fixtures.ids.workspace };
  const undo = () => readmit(app, fixtures.id, who?.id ?? 0n);
  if (who?.id !== fixtures.admin.id) return { input, undo };
  const user = await makeUser(app, "Leaving");
  await putMember(fixtures, user, "guest");
  return { input, undo, token: user.token };
}

/** Good inputs of what is done about members, invitations, roles and permissions. */
export const memberInputs = {
  "member.list": onWorkspace(),
  "member.get": onWorkspace(({ fixtures }) => ({ memberPublicId: fixtures.ids.member })),
  "member.invite": onWorkspace(async (world) => ({
    email: `${publicId()}@example.com`,
    rolePublicId: await newRole(world),
  })),
  "member.updateRole": onWorkspace(async (world) => ({
    memberPublicId: (await lowMember(world)).publicId,
    rolePublicId: await newRole(world),
  })),
  "member.remove": ofLowMember(),
  "member.leave": leave,
  "serviceAccount.list": onWorkspace(),
  "serviceAccount.create": onWorkspace(async (world) => ({
    name: text(),
    rolePublicId: await newRole(world),
  })),
  "serviceAccount.update": onServiceAccount({ name: "Deploy bot" }),
  "serviceAccount.delete": onServiceAccount(),
  "serviceAccount.keys": onServiceAccount(),
  "serviceAccount.createKey": onServiceAccount({ name: "Deploys" }),
  "serviceAccount.revokeKey": onWorkspace(serviceKey),
  "app.list": onWorkspace(),
  "app.forbid": onWorkspace(async (world) => ({ appPublicId: await connectedApp(world) })),
  "app.allow": onWorkspace(async (world) => {
    const { app, fixtures } = world;
    const appPublicId = await connectedApp(world);
    await app.db.write(sql`INSERT INTO forbidden_apps ("workspaceId", "appId")
      SELECT ${fixtures.id}, id FROM apps WHERE "publicId" = ${appPublicId}`);
    return { appPublicId };
  }),
  "invite.getLink": onWorkspace(),
  "invite.createLink": onWorkspace(async (world) => ({ role: (await lowRole(world, [])).name })),
  "invite.deactivateLink": onWorkspace(),
  "invite.get": on(async (world) => ({ inviteCode: await invitation(world) })),
  "invite.accept": on(async (world) => ({ inviteCode: await invitation(world) })),

  "permission.vocabulary": on(() => ({})),
  "permission.mine": onWorkspace(),
  "permission.ofMember": onWorkspace(({ fixtures }) => ({
    memberPublicId: fixtures.ids.member,
  })),
  "permission.grantToMember": onWorkspace(async (world) => {
    const { name } = await lowRole(world, []);
    const { publicId: memberPublicId } = await putMember(
      world.fixtures,
      await account(world),
      name,
    );
    return { memberPublicId, permission: handedOut };
  }),
  "permission.revokeFromMember": ofLowMember({ permission: handedOut }),
  "permission.resetMember": onWorkspace(async (world) => {
    const { id, publicId: memberPublicId } = await lowMember(world);
    await setOnlyOverrides(world.app, id, [handedOut], false);
    return { memberPublicId };
  }),
  "role.list": onWorkspace(),
  "role.create": onWorkspace(() => ({ name: text(), hierarchyLevel: 1, permissions: [] })),
  "role.update": onLowRole({ description: "Another one" }),
  "role.delete": onWorkspace(async (world) => ({
    rolePublicId: await newRole(world),
    moveMembersTo: await newRole(world),
  })),
  "role.permissions": onWorkspace(({ fixtures }) => ({
    rolePublicId: fixtures.ids.role,
  })),
  "role.grant": onLowRole({ permission: handedOut }),
  "role.revoke": onLowRole({ permission: handedOut }, [handedOut]),
} satisfies Partial<Record<Operation, Make>>;
