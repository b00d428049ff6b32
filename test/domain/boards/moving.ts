import type { App } from "../../support/app.ts";
import { makeWorkspace, type User, type Workspace } from "../../support/make.ts";

/** Two workspaces of one admin. */
export async function twoWorkspaces(app: App) {
  const here = await makeWorkspace(app);
  const there = await makeWorkspace(app, here.admin);
  return { here, there, admin: here.admin };
}

/** Moves a board to a workspace. */
export const move = (user: User, board: string, { publicId }: Workspace) =>
  user.rest.post(`/boards/${board}/move`, { workspacePublicId: publicId });

/** Makes a user a member of another workspace as well; answers the new member. */
export async function alsoIn(workspace: Workspace, user: User, role = "member"): Promise<string> {
  const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`, {
    role,
  });
  return (await user.rest.post("/invites/accept", { inviteCode: body.inviteCode })).body
    .memberPublicId;
}
