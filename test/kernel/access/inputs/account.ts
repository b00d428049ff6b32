import type { Operation } from "../../../../src/contract/policy.ts";
import { verificationToken } from "../../../../src/domain/auth/verification.ts";
import { fingerprint } from "../../../../src/kernel/access/credentials.ts";
import { insertRows } from "../../../../src/platform/db/insert-rows.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { sql } from "../../../../src/platform/db/sql.ts";
import { provedSignIn } from "../../../support/proved-sign-in.ts";
import { addCode } from "../../../support/state.ts";
import { addTotp, challengeOf, newTotp, newPasskey } from "../../../support/second-factor.ts";
import { browserNonce } from "../call.ts";
import {
  createPkce,
  githubAuthorizeUrl,
} from "../../../../src/transfer/integrations/github/oauth.ts";
import {
  callbackUrl,
  githubApp,
  sealedFor,
  sealStart,
} from "../../../../src/transfer/integrations/state.ts";
import { saveGrant } from "../../../../src/transfer/integrations/grant.ts";
import { appRequest, callback, connectApp, startDevice } from "../../../domain/oauth/app.ts";
import { notificationContent, makeUser, putMember } from "../fixtures.ts";
import { insertNotification, insertPasswordReset } from "../rows.ts";
import { account, apiKey, identity, session, text } from "../targets.ts";
import type { World } from "../world.ts";
import { given, on, type Make } from "./make.ts";

const password = "a password for tests";

const nonceHash = fingerprint(browserNonce);

/** The public id of a new notification of a user. */
async function unreadNotification({ app, fixtures }: World, who: Parameters<Make>[1]) {
  const row = { ...notificationContent, publicId: publicId(), workspaceId: fixtures.id };
  if (who) await insertNotification(app, { ...row, userId: who.id });
  return row.publicId;
}

/** An authorization of a user that GitHub has granted; its state and code. */
async function authorization(
  { app }: Pick<World, "app">,
  userId: bigint,
  bound: { nonceHash: string } | { resultHash: string },
) {
  const { deps } = app;
  const state = publicId();
  const { verifier, challenge } = createPkce();
  const [opened] = await app.db.read<{ id: string }>(sql`SELECT "publicId" AS id FROM sessions
    WHERE "userId" = ${userId} AND "revokedAt" IS NULL LIMIT 1`);
  const credential = { kind: "session", id: opened?.id ?? "" } as const;
  const row = {
    userId,
    provider: "github",
    stateHash: fingerprint(state),
    codeVerifier: sealStart(deps.seal, { verifier, credential }),
    expiresAt: new Date(deps.clock().getTime() + 600_000),
    ...bound,
  };
  await insertRows(app.db.write, "oauth_states", [row]);
  const redirectUri = callbackUrl(deps, "github");
  const url = githubAuthorizeUrl(githubApp(deps), { redirectUri, state, challenge });
  const { headers } = await fetch(url, { redirect: "manual" });
  const { searchParams } = new URL(headers.get("location") ?? "");
  return { state, code: searchParams.get("code") ?? "" };
}

/** Valid inputs of the operations on the caller's account, and of public ones. */
export const accountInputs = {
  "auth.register": on(() => ({ email: `${publicId()}@example.com`, password, name: "New" })),
  "auth.login": on(({ fixtures }) => ({ email: fixtures.admin.email, password })),
  "auth.refresh": on(async ({ app, fixtures }) => {
    const { email } = fixtures.admin;
    const { body } = await app.call({
      method: "POST",
      path: "/auth/login",
      body: { email, password },
    });
    return { refreshToken: body.refreshToken };
  }),
  "auth.requestPasswordReset": on(async (world) => ({ email: (await account(world)).email })),
  "auth.resetPassword": on(async (world) => {
    const { id: userId } = await account(world);
    const token = publicId();
    const expiresAt = new Date(world.app.deps.clock().getTime() + 60_000);
    await insertPasswordReset(world.app, userId, fingerprint(token), expiresAt);
    return { token, newPassword: `a ${token} for tests` };
  }),
  "auth.verifyEmail": on(async ({ app, fixtures }, who) => {
    const { email, publicId: id } = await app.db.reader.user.findUniqueOrThrow({
      where: who ? { id: who.id } : { email: fixtures.admin.email },
    });
    return {
      token: verificationToken(app.deps, { email, publicId: id }, app.deps.clock()),
    };
  }),
  "auth.resendVerification": async ({ app }, who) => ({
    input: {},
    ...(who && { token: (await makeUser(app, "Verifying")).token }),
  }),
  "auth.logout": async (world, who) => ({
    input: {},
    ...(who && { token: (await session(world, who)).token }),
  }),
  "auth.changePassword": async ({ app }, who) => ({
    input: { currentPassword: password, newPassword: "another password for tests" },
    ...(who && { token: (await makeUser(app, "Changing")).token }),
  }),
  "auth.sessions": on(() => ({})),
  "auth.revokeSession": on(async (world, who) => ({
    sessionPublicId: who ? (await session(world, who)).publicId : publicId(),
  })),
  "auth.apiKeys": on(() => ({})),
  "auth.createApiKey": on(() => ({ name: text(), password })),
  "auth.streamTicket": on(() => ({})),
  "auth.revokeApiKey": on(async (world, who) => ({
    apiKeyPublicId: who ? await apiKey(world, who) : publicId(),
  })),

  "oauth.register": on(() => ({ name: text(), redirectUris: [callback] })),
  "oauth.describe": on(async ({ app }) => ({ request: await appRequest(app) })),
  "oauth.decide": on(async ({ app }) => ({
    request: await appRequest(app),
    allow: true,
    password,
  })),
  "oauth.token": on(async ({ app }) => {
    const user = await makeUser(app, "Connecting");
    const { clientId, refreshToken } = await connectApp(app, user);
    return { grantType: "refresh_token", clientId, refreshToken };
  }),
  "oauth.revoke": on(async ({ app }) => {
    const user = await makeUser(app, "Connecting");
    const { clientId, refreshToken } = await connectApp(app, user);
    return { clientId, token: refreshToken };
  }),
  "oauth.startDevice": on(() => ({ clientId: "wbs-cli" })),
  "oauth.describeDevice": on(async ({ app }) => ({ userCode: (await startDevice(app)).userCode })),
  "oauth.decideDevice": on(async ({ app }) => ({
    userCode: (await startDevice(app)).userCode,
    allow: true,
    password,
  })),

  "auth.confirm": on(async ({ app }) => {
    const owner = await makeUser(app, "Confirming");
    const { recoveryCodes } = await addTotp(app, owner);
    return { challenge: (await challengeOf(app, owner)).challenge, code: recoveryCodes[0] };
  }),
  "secondFactor.list": on(() => ({})),
  "secondFactor.startTotp": on(() => ({})),
  "secondFactor.addTotp": async ({ app }, who) => {
    const owner = await makeUser(app, "Adding");
    return { input: await newTotp(app, owner), ...(who && { token: owner.token }) };
  },
  "secondFactor.startPasskey": on(() => ({})),
  "secondFactor.addPasskey": async ({ app }, who) => {
    const owner = await makeUser(app, "Adding");
    return {
      input: await newPasskey(app, owner),
      ...(who && { token: owner.token }),
    };
  },
  "secondFactor.rename": async ({ app }, who) => {
    const owner = await makeUser(app, "Renaming");
    const { factor } = await addTotp(app, owner);
    return {
      input: { secondFactorPublicId: factor.publicId, name: text() },
      ...(who && { token: owner.token }),
    };
  },
  "secondFactor.remove": async ({ app }, who) => {
    const owner = await makeUser(app, "Removing");
    const { factor } = await addTotp(app, owner);
    return {
      input: { secondFactorPublicId: factor.publicId, password },
      ...(who && { token: owner.token }),
    };
  },
  "secondFactor.createRecoveryCodes": async ({ app }, who) => {
    const owner = await makeUser(app, "Replacing");
    await addTotp(app, owner);
    return { input: { password }, ...(who && { token: owner.token }) };
  },

  "signIn.providers": on(() => ({})),
  "signIn.start": on(({ app }) => ({ provider: "google", returnUrl: app.deps.baseUrl })),
  "signIn.callback": on(async ({ app, google }) => {
    const input = { provider: "google", returnUrl: app.deps.baseUrl };
    const { body } = await app.call({ method: "POST", path: "/sign-in/start", body: input });
    const subject = publicId();
    const { searchParams } = google.signIn(body.url, { sub: subject });
    return { provider: "google", ...Object.fromEntries(searchParams) };
  }),
  "signIn.finish": on(({ app }) => provedSignIn(app)),
  "signIn.link": async ({ app }, who) => ({
    input: { ...(await provedSignIn(app)), password },
    // An account has few.
    ...(who && { token: (await makeUser(app, "Linking")).token }),
  }),
  "signIn.identities": on(() => ({})),
  "signIn.unlink": on(async (world, who) => ({
    identityPublicId: who ? await identity(world, who) : publicId(),
  })),

  "user.me": on(() => ({})),
  "user.update": on(() => ({ name: text() })),
  "user.delete": async ({ app, fixtures }, who) => {
    if (who === undefined) return given({ password });
    const user = await makeUser(app, "Leaving");
    await putMember(fixtures, user, "guest");
    return { input: { password }, token: user.token };
  },
  "user.cards": on(() => ({})),
  "user.notifications": on(() => ({})),
  "user.stream": on(() => ({})),
  "user.readNotification": on(async (world, who) => ({
    notificationPublicId: await unreadNotification(world, who),
    isRead: true,
  })),
  "user.readAllNotifications": on(async (world, who) => {
    await unreadNotification(world, who);
    return {};
  }),
  "user.preferences": on(() => ({})),
  "user.updatePreferences": on(() => ({})),

  "integration.authorize": on(() => ({})),
  "integration.callback": on(async (world, who) => ({
    provider: "github",
    ...(await authorization(world, who?.id ?? world.fixtures.admin.id, { nonceHash })),
  })),
  "integration.complete": on(async (world, who) => {
    const result = publicId();
    const { app, fixtures } = world;
    const { code } = await authorization(world, who?.id ?? fixtures.admin.id, {
      resultHash: fingerprint(result),
    });
    await addCode(app, fingerprint(result), app.deps.seal.seal(sealedFor.code, code));
    return { result };
  }),
  "integration.providers": on(() => ({})),
  "integration.disconnect": on(() => ({ provider: "trello" })),
  "integration.githubProjects": on(async ({ app, github }, who) => {
    const token = { expiresIn: null, refreshToken: null, refreshTokenExpiresIn: null, scopes: [] };
    if (who) {
      await saveGrant(app.deps, who.id, { accessToken: github.grant(), ...token }, "octocat");
    }
    return {};
  }),

  "health.check": on(() => ({})),
  "stats.get": on(() => ({})),
} satisfies Partial<Record<Operation, Make>>;
