import { publicId } from "../../src/db/public-id.ts";
import { saveGrant } from "../../src/integrations/grant.ts";
import type { Operation } from "../../src/access/policy.ts";
import { makeUser } from "./estate.ts";
import { handedOut } from "./expected.ts";
import type { Input } from "./call.ts";
import { apiKey, card, checklist, lowMember, lowRole, session, text, type Who } from "./targets.ts";
import type { World } from "./world.ts";

/** An input that is accepted; `token` when the call must come from a session that it may end, `undo` when it takes away what others need. */
export type Target = { input: Input; token?: string; undo?: () => Promise<unknown> };

type Make = (world: World, who: Who | undefined) => Target | Promise<Target>;

const given = (input: Input): Target => ({ input });

/** A good input of every operation, about something that nothing else hangs on. */
export const inputs: Record<Operation, Make> = {
  "auth.register": () =>
    given({ email: `${publicId()}@example.com`, password: "a password for tests", name: "New" }),
  "auth.login": ({ estate }) =>
    given({ email: estate.admin.email, password: "a password for tests" }),
  "auth.refresh": async ({ app, estate }) => {
    const { email } = estate.admin;
    const { body } = await app.call({
      method: "POST",
      path: "/auth/login",
      body: { email, password: "a password for tests" },
    });
    return given({ refreshToken: body.refreshToken });
  },
  "auth.logout": async (world, who) => ({
    input: {},
    ...(who && { token: (await session(world, who)).token }),
  }),
  "auth.sessions": () => given({}),
  "auth.revokeSession": async (world, who) =>
    given({ sessionPublicId: who ? (await session(world, who)).publicId : publicId() }),
  "auth.apiKeys": () => given({}),
  "auth.createApiKey": () => given({ name: text() }),
  "auth.revokeApiKey": async (world, who) =>
    given({ apiKeyPublicId: who ? await apiKey(world, who) : publicId() }),

  "user.me": () => given({}),

  "workspace.list": () => given({}),
  "workspace.create": () => given({ name: text() }),
  "workspace.get": onWorkspace(),
  "workspace.update": onWorkspace(() => ({ description: text() })),
  "workspace.delete": ({ app, estate }) => ({
    input: { workspacePublicId: estate.ids.workspace },
    undo: () => app.db.read(`UPDATE workspaces SET "deletedAt" = NULL WHERE id = $1`, [estate.id]),
  }),

  "member.list": onWorkspace(),
  "invite.createLink": async (world) =>
    given({ workspacePublicId: world.estate.ids.workspace, role: (await lowRole(world, [])).name }),
  "invite.accept": async ({ app }) => {
    const { rest } = await makeUser(app, "Host");
    const { body: workspace } = await rest.post("/workspaces", { name: text() });
    const { body } = await rest.post(`/workspaces/${workspace.publicId}/invites`, {});
    return given({ inviteCode: body.inviteCode });
  },
  "permission.ofMember": ({ estate }) =>
    given({ workspacePublicId: estate.ids.workspace, memberPublicId: estate.ids.member }),
  "permission.revokeFromMember": async (world) => {
    const { publicId: memberPublicId } = await lowMember(world);
    return given({
      workspacePublicId: world.estate.ids.workspace,
      memberPublicId,
      permission: handedOut,
    });
  },
  "role.list": onWorkspace(),
  "role.grant": async (world) => {
    const { publicId: rolePublicId } = await lowRole(world, []);
    return given({
      workspacePublicId: world.estate.ids.workspace,
      rolePublicId,
      permission: handedOut,
    });
  },

  "board.get": onBoard(),
  "board.list": onWorkspace(),
  "board.getBySlug": async ({ estate }) => {
    const { publicId, slug, admin } = estate.workspace;
    const { body } = await admin.rest.post(`/workspaces/${publicId}/boards`, { name: text(), visibility: "public" });
    return given({ workspaceSlug: slug, boardSlug: body.slug });
  },
  "board.cards": onBoard(),
  "board.members": onBoard(),
  "board.activity": onBoard(),
  "board.checkSlugAvailability": onBoard(() => ({ slug: publicId() })),
  "board.favourite": onBoard(() => ({ favourite: true })),
  "board.create": onWorkspace(() => ({ name: text() })),
  "board.update": onBoard(() => ({ description: text() })),
  "board.delete": async ({ app, estate }) => {
    const undo = () => app.db.read(`UPDATE boards SET "deletedAt" = NULL WHERE "publicId" = $1`, [estate.ids.board]);
    return { input: { boardPublicId: estate.ids.board }, undo };
  },
  "board.restore": onBoard(),
  // To where it is: what else it takes is told in test/boards/move.test.ts.
  "board.move": onBoard(({ estate }) => ({ workspacePublicId: estate.ids.workspace })),
  "board.addMember": onBoard(({ estate }) => ({ memberPublicId: estate.ids.member })),
  "board.removeMember": onBoard(({ estate }) => ({ memberPublicId: estate.ids.member })),

  "list.get": ({ estate }) => given({ listPublicId: estate.ids.list }),
  "list.create": ({ estate }) => given({ name: text(), boardPublicId: estate.ids.board }),

  "card.get": ({ estate }) => given({ cardPublicId: estate.ids.card }),
  "card.create": ({ estate }) => given({ title: text(), listPublicId: estate.ids.list }),
  "card.update": async (world) => given({ cardPublicId: await card(world), title: text() }),
  "card.delete": async (world) => given({ cardPublicId: await card(world) }),
  "card.toggleLabel": async (world) =>
    given({ cardPublicId: await card(world), labelPublicId: world.estate.ids.label }),

  "label.create": ({ estate }) =>
    given({ name: text(), colourCode: "#abcdef", boardPublicId: estate.ids.board }),
  "label.update": async (world) => {
    const { body } = await world.estate.admin.rest.post("/labels", {
      name: text(),
      colourCode: "#abcdef",
      boardPublicId: world.estate.ids.board,
    });
    return given({ labelPublicId: body.publicId, name: text(), colourCode: "#123456" });
  },

  "checklist.create": async (world) => given({ cardPublicId: await card(world), name: text() }),
  "checklist.addItem": async (world) =>
    given({ checklistPublicId: (await checklist(world)).publicId, title: text() }),
  "checklist.deleteItem": async (world) =>
    given({ checklistItemPublicId: (await checklist(world)).items[0].publicId }),

  "webhook.list": onWorkspace(),
  "webhook.create": onWorkspace(({ receiver }) => ({
    name: text(),
    url: receiver.url,
    events: ["card.*"],
  })),
  "webhook.delete": async (world) => {
    const { ids, admin } = world.estate;
    const { body } = await admin.rest.post(`/workspaces/${ids.workspace}/webhooks`, {
      name: text(),
      url: world.receiver.url,
      events: ["*"],
    });
    return given({ workspacePublicId: ids.workspace, webhookPublicId: body.publicId });
  },
  "webhook.test": ({ estate }) =>
    given({ workspacePublicId: estate.ids.workspace, webhookPublicId: estate.ids.webhook }),

  "integration.authorize": () => given({}),
  "integration.callback": async ({ estate }) => {
    const { body } = await estate.admin.rest.get("/integration/authorize");
    const { headers } = await fetch(body.url, { redirect: "manual" });
    const { searchParams } = new URL(headers.get("location") ?? "");
    return given({
      provider: "github",
      state: searchParams.get("state"),
      code: searchParams.get("code"),
    });
  },
  "integration.githubProjects": async ({ app, github }, who) => {
    const token = { expiresIn: null, refreshToken: null, refreshTokenExpiresIn: null, scopes: [] };
    if (who)
      await saveGrant(app.deps, who.id, { accessToken: github.grant(), ...token }, "octocat");
    return given({});
  },
  "import.trelloBoards": ({ trello }) => given({ apiKey: trello.apiKey, token: trello.token }),

  "health.check": () => given({}),
};

function onWorkspace(more: (world: World) => Input = () => ({})): Make {
  return (world) => given({ workspacePublicId: world.estate.ids.workspace, ...more(world) });
}
function onBoard(more: (world: World) => Input = () => ({})): Make {
  return (world) => given({ boardPublicId: world.estate.ids.board, ...more(world) });
}
