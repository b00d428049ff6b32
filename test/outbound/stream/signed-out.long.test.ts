import { expect, test } from "vitest";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { connectApp, refresh } from "../../domain/oauth/app.ts";
import { freshEmail, password, signIn, signUp, type Account } from "../../domain/auth/account.ts";
import { jobsOf } from "../../kernel/jobs/fixtures.ts";
import { as } from "../../support/as.ts";
import { readStream } from "../../support/stream.ts";
import { startIssuerApp } from "../../support/issuer-app.ts";

const ADMIN_KEY = "the key of the operator";
const { app, issuer } = await startIssuerApp({ ADMIN_KEY });

/** Every operation that is a stream, by REST and by tRPC. */
const addresses = routesOf(appRouter)
  .filter(({ options }) => options.events !== undefined)
  .flatMap(({ name, path }) => [
    (workspacePublicId: string) => {
      const found = path.replace("{workspacePublicId}", workspacePublicId);
      return `/api/v1${found}${found === path ? `?workspaces=${workspacePublicId}` : ""}`;
    },
    (workspacePublicId: string) => {
      const isOfWorkspace = path.includes("{workspacePublicId}");
      const input = isOfWorkspace ? { workspacePublicId } : { workspaces: [workspacePublicId] };
      return `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
    },
  ]);

const open = async (path: string, headers: Record<string, string>) => {
  const stream = await readStream(
    await app.fetch(new Request(`http://service${path}`, { headers })),
  );
  expect(stream.status, path).toBe(200);
  for (let type = ""; type !== "ready";) {
    const one = await stream.next();
    if (one === undefined) throw new Error(`${path} has ended.`);
    type = one.data.type;
  }
  return stream;
};

/** All streams of a workspace with a token, also opened with tickets. */
async function openAll(token: string, workspacePublicId: string) {
  const user = as(app, token);
  const streams = [];
  for (const addressOf of addresses) {
    const path = addressOf(workspacePublicId);
    streams.push(await open(path, { Authorization: `Bearer ${token}` }));
    const { body } = await user.rest.post("/auth/stream-ticket");
    streams.push(await open(`${path}&ticket=${body.ticket}`.replace(/^([^?&]*)&/, "$1?"), {}));
  }
  return streams;
}

type Scene = { owner: Account; token: string; end: () => Promise<unknown> };

async function scene(): Promise<Omit<Scene, "end">> {
  const owner = await signUp(app);
  return { owner, token: (await signIn(app, owner.user.email)).accessToken };
}

/** A token of an app that an account has connected to everything. */
async function appScene() {
  const { owner, token: session } = await scene();
  const user = as(app, session);
  const bounds = { password };
  const connected = await connectApp(app, user, { bounds, resource: app.deps.baseUrl });
  return { owner, token: connected.accessToken, connected, user };
}

const endings: Record<string, () => Promise<Scene>> = {
  async "oauth.revoke"() {
    const { owner, token, connected } = await appScene();
    const { clientId, refreshToken } = connected;
    const end = () => as(app).rest.post("/oauth/revoke", { clientId, token: refreshToken });
    return { owner, token, end };
  },
  async "oauth.token of a copied refresh token"() {
    const { owner, token, connected } = await appScene();
    const end = async () => {
      await refresh(app, connected);
      app.advance(121_000);
      const again = await refresh(app, connected);
      return { ...again, status: again.status === 400 ? 200 : again.status };
    };
    return { owner, token, end };
  },
  async "app.forbid"() {
    const { owner, token, connected, user } = await appScene();
    const end = async () => {
      const { body: workspaces } = await user.rest.get("/workspaces");
      const path = `/workspaces/${workspaces[0].workspace.publicId}/apps`;
      return user.rest.put(`${path}/${connected.clientId}/forbidden`);
    };
    return { owner, token, end };
  },
  async "auth.logout"() {
    const { owner, token } = await scene();
    return { owner, token, end: () => as(app, token).rest.post("/auth/logout") };
  },
  async "auth.revokeSession"() {
    const { owner, token } = await scene();
    const { rest } = as(app, owner.accessToken);
    const { body } = await rest.get("/auth/sessions");
    const other = body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    return { owner, token, end: () => rest.delete(`/auth/sessions/${other.publicId}`) };
  },
  async "auth.revokeApiKey"() {
    const { owner } = await scene();
    const { rest } = as(app, owner.accessToken);
    const { body } = await rest.post("/auth/api-keys", { password, name: "script" });
    const end = () => rest.delete(`/auth/api-keys/${body.publicId}`);
    return { owner, token: body.key, end };
  },
  async "auth.changePassword"() {
    const { owner, token } = await scene();
    const change = { currentPassword: password, newPassword: `${password}, another` };
    const end = () => as(app, owner.accessToken).rest.put("/auth/password", change);
    return { owner, token, end };
  },
  async "auth.resetPassword"() {
    const { owner, token } = await scene();
    const { email } = owner.user;
    const { rest } = as(app);
    await rest.post("/auth/password/reset-request", { email });
    const mails = (await jobsOf(app)).map(({ payload }) => payload as { to: string; text: string });
    const text = mails.findLast(({ to }) => to === email)?.text ?? "";
    const reset = {
      token: /The token is (\S+)/.exec(text)?.[1],
      newPassword: `${password}, another`,
    };
    return { owner, token, end: () => rest.post("/auth/password/reset", reset) };
  },
  async "auth.refresh of a copied token"() {
    const { owner } = await scene();
    const { refreshToken } = owner;
    const { rest } = as(app);
    const end = async () => {
      await rest.post("/auth/refresh", { refreshToken });
      app.advance(11_000);
      const again = await rest.post("/auth/refresh", { refreshToken });
      return { ...again, status: again.status === 401 ? 200 : again.status };
    };
    return { owner, token: owner.accessToken, end };
  },
  async "user.delete"() {
    const { owner, token } = await scene();
    const invite = async () => {
      const colleague = await signUp(app);
      const { rest } = as(app, owner.accessToken);
      const { body: workspaces } = await rest.get("/workspaces");
      const path = `/workspaces/${workspaces[0].workspace.publicId}/invites`;
      const { body } = await rest.post(path, { role: "admin" });
      const { inviteCode } = body;
      await as(app, colleague.accessToken).rest.post("/invites/accept", { inviteCode });
      return as(app, token).rest.delete("/users/me", { password });
    };
    return { owner, token, end: invite };
  },
  async "operator.updateUser"() {
    const { owner, token } = await scene();
    const path = `/operator/users/${owner.user.publicId}`;
    const headers = { "X-Admin-Key": ADMIN_KEY };
    const end = () => as(app).rest.put(path, { isDisabled: true }, { headers });
    return { owner, token, end };
  },
  async "the issuer claims the account"() {
    const { owner, token } = await scene();
    const { email } = owner.user;
    const claims = { sub: freshEmail(), email, email_verified: true };
    const issued = await issuer.token(app.deps.clock(), claims);
    return { owner, token, end: () => as(app, issued).rest.get("/users/me") };
  },
};

test("there are streams of workspaces and of users, over REST and tRPC", () => {
  expect(addresses).toHaveLength(4);
});

test.each(Object.entries(endings))("%s ends all streams within a second", (_, make) =>
  expectFast(() => endedAfter(make)),
);

/** Expects that a run takes less than a second, of several: other tests may hold the machine. */
async function expectFast(run: () => Promise<number>) {
  await expect.poll(run).toBeLessThan(1_000);
}

/** How long the streams of a scene take to end, in ms; those of others stay open. */
async function endedAfter(make: () => Promise<Scene>): Promise<number> {
  const { owner, token, end } = await make();
  const { body } = await as(app, owner.accessToken).rest.post("/workspaces", { name: "Home" });
  const other = await signUp(app);
  const { body: elsewhere } = await as(app, other.accessToken).rest.post("/workspaces", {
    name: "Elsewhere",
  });
  const streams = await openAll(token, body.publicId);
  const others = await openAll(other.accessToken, elsewhere.publicId);
  expect(await end()).toMatchObject({ status: 200 });
  const ended = performance.now();
  await Promise.all(streams.map((stream) => stream.rest()));
  const ms = performance.now() - ended;
  await as(app, other.accessToken).rest.post(`/workspaces/${elsewhere.publicId}/boards`, {
    name: "Open",
  });
  for (const stream of others) {
    await stream.next();
    await stream.close();
  }
  return ms;
}

test("a deleted account of the issuer ends its streams within a second", () =>
  expectFast(deletedAfter));

/** How long the streams of an account of the issuer take to end after its deletion, in ms. */
async function deletedAfter(): Promise<number> {
  const email = freshEmail();
  const claims = { sub: email, email, email_verified: true };
  const token = await issuer.token(app.deps.clock(), claims);
  const { rest } = as(app, token);
  const streams = [];
  for (const addressOf of addresses) {
    const path = addressOf("").replace(/\?workspaces=$/, "");
    if (path.includes("/users/me"))
      streams.push(await open(path, { Authorization: `Bearer ${token}` }));
  }
  expect((await rest.delete("/users/me")).status).toBe(200);
  const ended = performance.now();
  await Promise.all(streams.map((stream) => stream.rest()));
  return performance.now() - ended;
}
