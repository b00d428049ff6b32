import { signUp, type Api } from "../bench/api.ts";
import type { Ids } from "./ids.ts";
import type { Random } from "./random.ts";

/** The callers of a world. */
export type Actors = {
  /** A token for an operation; undefined is an anonymous caller. */
  pick(operation: string, random: Random): string | undefined;
  /** Whether the world still has its admin and its first board. */
  isAlive(): Promise<boolean>;
};

/** Operations that end a credential; the others need theirs. */
const ending =
  /^(?:user\.delete|auth\.(?:logout|changePassword|revokeSession|revokeApiKey|resetPassword))$/;

/** Creates a workspace with one of each resource, and callers with different rights in it. */
export async function createActors(origin: string, ids: Ids): Promise<Actors> {
  const admin = await signUp(origin, "Admin");
  const home = await createWorkspace(admin, ids);
  const member = await signUp(origin, "Member");
  const guest = await signUp(origin, "Guest");
  for (const [user, role] of [
    [member, "member"],
    [guest, "guest"],
  ] as const) {
    const invite = await admin.post(`/workspaces/${home}/invites`, { role });
    await user.post("/invites/accept", { inviteCode: invite.inviteCode });
  }
  ids.learn("member", await admin.get(`/workspaces/${home}/members`));
  const stranger = await signUp(origin, "Stranger");
  await createWorkspace(stranger, ids);
  const key = await member.post("/auth/api-keys", {
    name: "key",
    password: "a password for the bench",
  });
  const readOnly = await admin.post("/auth/api-keys", {
    name: "read-only",
    readOnly: true,
    password: "a password for the bench",
  });
  // Most calls are the admin's, because other callers are refused early.
  const tokens = [...Array<string>(8).fill(admin.token), member.token, member.token, guest.token];
  const all = [...tokens, stranger.token, key.key as string, readOnly.key as string, undefined];
  const spare = await signUp(origin, "Spare");
  const { items: boards } = await admin.get(`/workspaces/${home}/boards`);
  return {
    pick: (operation, random) => (ending.test(operation) ? spare.token : random.pick(all)),
    isAlive: () =>
      admin.get(`/boards/${boards[0].publicId}`).then(
        () => true,
        () => false,
      ),
  };
}

/** A workspace with one of each resource; returns its public id. */
async function createWorkspace(api: Api, ids: Ids): Promise<string> {
  const post = async (kind: string, path: string, body: object = {}) => {
    const made = await api.post(path, body);
    ids.learn(kind, made);
    return made;
  };
  const { publicId: home } = await post("workspace", "/workspaces", { name: "Fuzzing" });
  ids.learn("role", await api.get(`/workspaces/${home}/roles`));
  ids.learn("session", await api.get("/auth/sessions"));
  const colourCode = "#1f2e3d";
  for (const name of ["One", "Two"]) {
    const board = await post("board", `/workspaces/${home}/boards`, {
      name,
      lists: ["To do", "Done"],
      labels: [{ name: "Label", colourCode }],
    });
    const list = board.lists[0].publicId;
    const card = await post("card", "/cards", { title: "Card", listPublicId: list });
    await post("card", "/cards", { title: "Neighbour", listPublicId: list });
    await post("checklist", `/cards/${card.publicId}/checklists`, { name: "List", items: ["a"] });
    await post("comment", `/cards/${card.publicId}/comments`, { comment: "Text" });
  }
  const hook = { name: "Hook", url: "https://target.invalid/", events: ["*"] };
  // A service that resolves no name refuses the webhook.
  await post("webhook", `/workspaces/${home}/webhooks`, hook).catch(() => undefined);
  return home;
}
