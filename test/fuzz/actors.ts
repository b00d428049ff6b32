import { signUp, type Api } from "../bench/api.ts";
import type { Ids } from "./ids.ts";
import type { Random } from "./random.ts";

/** The credentials that calls are made with; an undefined token is an anonymous caller. */
export type Actors = { pick(random: Random): string | undefined };

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
  return { pick: (random) => random.pick(all) };
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
  // A service that resolves no name refuses the webhook: then there is none.
  await post("webhook", `/workspaces/${home}/webhooks`, hook).catch(() => undefined);
  return home;
}
