import type { Operation } from "../../../../src/contract/policy.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { makeUser, putMember } from "../estate.ts";
import { handedOut } from "../expected.ts";
import { readmit, setOnlyOverride } from "../fixtures.ts";
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

/** A member who can leave: the estate's only admin cannot, so another user does. */
async function leave({ app, estate }: World, who: Who | undefined) {
  const input = { workspacePublicId: estate.ids.workspace };
  const undo = () => readmit(app, estate.id, who?.id ?? 0n);
  if (who?.id !== estate.admin.id) return { input, undo };
  const user = await makeUser(app, "Leaving");
  await putMember(estate, user, "guest");
  return { input, undo, token: user.token };
}

/** Good inputs of what is done about members, invitations, roles and permissions. */
export const memberInputs = {
  "member.list": onWorkspace(),
  "member.get": onWorkspace(({ estate }) => ({ memberPublicId: estate.ids.member })),
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
  "invite.getLink": onWorkspace(),
  "invite.createLink": onWorkspace(async (world) => ({ role: (await lowRole(world, [])).name })),
  "invite.deactivateLink": onWorkspace(),
  "invite.get": on(async (world) => ({ inviteCode: await invitation(world) })),
  "invite.accept": on(async (world) => ({ inviteCode: await invitation(world) })),

  "permission.vocabulary": on(() => ({})),
  "permission.mine": onWorkspace(),
  "permission.ofMember": onWorkspace(({ estate }) => ({ memberPublicId: estate.ids.member })),
  "permission.grantToMember": onWorkspace(async (world) => {
    const { name } = await lowRole(world, []);
    const { publicId: memberPublicId } = await putMember(world.estate, await account(world), name);
    return { memberPublicId, permission: handedOut };
  }),
  "permission.revokeFromMember": ofLowMember({ permission: handedOut }),
  "permission.resetMember": onWorkspace(async (world) => {
    const { id, publicId: memberPublicId } = await lowMember(world);
    await setOnlyOverride(world.app, id, handedOut, false);
    return { memberPublicId };
  }),
  "role.list": onWorkspace(),
  "role.create": onWorkspace(() => ({ name: text(), hierarchyLevel: 1, permissions: [] })),
  "role.update": onLowRole({ description: "Another one" }),
  "role.delete": onWorkspace(async (world) => ({
    rolePublicId: await newRole(world),
    moveMembersTo: await newRole(world),
  })),
  "role.permissions": onWorkspace(({ estate }) => ({ rolePublicId: estate.ids.role })),
  "role.grant": onLowRole({ permission: handedOut }),
  "role.revoke": onLowRole({ permission: handedOut }, [handedOut]),
} satisfies Partial<Record<Operation, Make>>;
