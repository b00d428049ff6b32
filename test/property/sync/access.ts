import type { App } from "../../support/app.ts";
import type { User, Workspace } from "../../support/make.ts";
import type { Known, Random } from "./operations.ts";

/** Whose access changes: by an admin, who never loses their own. */
export type AccessScene = {
  app: App;
  workspace: Workspace;
  /** A workspace of the admin, to which boards move, and from which they come back. */
  other: Workspace;
  people: (User & { memberPublicId: string })[];
};

type Change = (scene: AccessScene, known: Known, random: Random) => Promise<void>;

const permissions = [
  "board:view",
  "list:view",
  "card:view",
  "comment:view",
  "workspace:view",
  "workspace:manage",
];

const changeVisibility: Change = async ({ workspace: { admin } }, { boards }, random) => {
  const visibility = random.pick(["private", "restricted"]);
  await admin.rest.put(`/boards/${random.pick(boards)}`, { visibility });
};

const changeBoardMember: Change = async ({ workspace, people }, { boards }, random) => {
  const { rest } = workspace.admin;
  const path = `/boards/${random.pick(boards)}/members/${random.pick(people)?.memberPublicId}`;
  await (random.flip() ? rest.put(path) : rest.delete(path));
};

const changePermission: Change = async ({ workspace, people }, _, random) => {
  const member = random.pick(people)?.memberPublicId;
  const verb = random.pick(["grant", "revoke", "revoke", "reset"]);
  const path = `/workspaces/${workspace.publicId}/members/${member}/permissions/${verb}`;
  const body = verb === "reset" ? undefined : { permission: random.pick(permissions) };
  await workspace.admin.rest.post(path, body);
};

const changeRole: Change = async ({ workspace, people }, _, random) => {
  const member = random.pick(people)?.memberPublicId;
  const path = `/workspaces/${workspace.publicId}/members/${member}/role`;
  await workspace.admin.rest.put(path, { role: random.pick(["admin", "member", "guest"]) });
};

const editRole: Change = async ({ workspace, ...scene }, known, random) => {
  const role = random.pick([workspace.roles.member, workspace.roles.guest]);
  const root = `/workspaces/${workspace.publicId}/roles/${role}/permissions`;
  const permission = random.pick(permissions.slice(0, 3));
  await workspace.admin.rest.post(`${root}/revoke`, { permission });
  // Most of the time members can see boards.
  await changeRole({ workspace, ...scene }, known, random);
  await workspace.admin.rest.post(`${root}/grant`, { permission });
};

/** Removes a person, who comes back by a new invite. */
const removeAndInvite: Change = async ({ workspace, people }, _, random) => {
  const person = random.pick(people);
  const root = `/workspaces/${workspace.publicId}`;
  await workspace.admin.rest.delete(`${root}/members/${person?.memberPublicId}`);
  if (random.flip()) return;
  const { body } = await workspace.admin.rest.post(`${root}/invites`, { role: "member" });
  await person?.rest.post("/invites/accept", { inviteCode: body.inviteCode });
};

const moveBoard: Change = async ({ workspace, other }, { boards }, random) => {
  const to = random.flip() ? workspace : other;
  const path = `/boards/${random.pick(boards)}/move`;
  await workspace.admin.rest.post(path, { workspacePublicId: to.publicId });
};

const changes: Change[] = [
  changeVisibility,
  changeBoardMember,
  changeBoardMember,
  changePermission,
  changePermission,
  changeRole,
  editRole,
  removeAndInvite,
  moveBoard,
];

/** Changes at random who can see which boards. */
export async function changeAccess(
  scene: AccessScene,
  known: Known,
  random: Random,
): Promise<string> {
  const change = random.pick(changes) ?? changeVisibility;
  await change(scene, known, random);
  return change.name;
}
