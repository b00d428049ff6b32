import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";
import { as, type As } from "./as.ts";

let count = 0;

/** A registered user with their clients. */
export type User = As & { token: string; email: string; publicId: string; refreshToken: string };

/** A workspace with its first admin. */
export type Workspace = {
  publicId: string;
  slug: string;
  cardPrefix: string;
  admin: User;
  roles: Record<"admin" | "member" | "guest", string>;
};

/** The public ids of a board, its lists and its labels. */
export type Board = {
  publicId: string;
  lists: string[];
  labels: string[];
};

/** Registers a user. */
export async function makeUser(app: App, name = "User"): Promise<User> {
  const email = `user-${++count}-${Math.random().toString(36).slice(2)}@example.com`;
  const reply = await app.call({
    method: "POST",
    path: "/auth/register",
    body: { email, password: "a password for tests", name },
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  const { accessToken: token, refreshToken, user } = reply.body;
  return { ...as(app, token), token, refreshToken, email, publicId: user.publicId };
}

/** Creates a workspace whose admin is the given user or a new one. */
export async function makeWorkspace(app: App, admin?: User): Promise<Workspace> {
  const user = admin ?? (await makeUser(app, "Admin"));
  const { body } = await user.rest.post("/workspaces", { name: `Workspace ${++count}` });
  const roles = await app.db.read<{ name: string; publicId: string }>(sql`
    SELECT r.name, r."publicId" FROM roles r JOIN workspaces w ON w.id = r."workspaceId"
    WHERE w."publicId" = ${body.publicId}`);
  return {
    publicId: body.publicId,
    slug: body.slug,
    cardPrefix: body.cardPrefix,
    admin: user,
    roles: Object.fromEntries(
      roles.map(({ name, publicId }) => [name, publicId]),
    ) as Workspace["roles"],
  };
}

/** Adds a new user to a workspace with a role; returns the user with the member's public id. */
export async function join(
  app: App,
  workspace: Workspace,
  role: "admin" | "member" | "guest",
): Promise<User & { memberPublicId: string }> {
  const user = await makeUser(app, `A ${role}`);
  const { body: invite } = await workspace.admin.rest.post(
    `/workspaces/${workspace.publicId}/invites`,
    { role },
  );
  const { body } = await user.rest.post("/invites/accept", { inviteCode: invite.inviteCode });
  return { ...user, memberPublicId: body.memberPublicId };
}

/** Creates a board with lists and labels. */
export async function makeBoard(
  workspace: Workspace,
  { lists = ["To do", "Doing", "Done"], labels = 1 }: { lists?: string[]; labels?: number } = {},
): Promise<Board> {
  const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: `Board ${++count}`,
    lists,
    labels: Array.from({ length: labels }, (_, index) => ({
      name: `Label ${index}`,
      colourCode: "#1f2e3d",
    })),
  });
  return {
    publicId: body.publicId,
    lists: body.lists.map((list: { publicId: string }) => list.publicId),
    labels: body.labels.map((label: { publicId: string }) => label.publicId),
  };
}

/** Adds a card at the end of a list; returns its public id. */
export async function makeCard(
  user: As,
  listPublicId: string,
  title = `Card ${++count}`,
): Promise<string> {
  const { body } = await user.rest.post("/cards", { title, listPublicId });
  return body.publicId;
}
