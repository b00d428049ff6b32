import { describe, expect, onTestFinished, test } from "vitest";
import {
  policy,
  authenticatesCaller,
  ruleOf,
  type Operation,
} from "../../../src/contract/policy.ts";
import { png, start, upload } from "../../domain/attachments/files.ts";
import { connectApp } from "../../domain/oauth/app.ts";
import { startApp, type Call } from "../../support/app.ts";
import { provedSignIn } from "../../support/proved-sign-in.ts";
import { makeUser } from "../../support/make.ts";
import { addTotp, challengeOf } from "../../support/second-factor.ts";

const address = { "X-Forwarded-For": "203.0.113.7" };
const perWindow = 40;
/** A network without a credential has a fifth of the calls. */
const anonymous = 8;

const SIGN_IN_PROVIDERS = JSON.stringify([
  { kind: "google", clientId: "boards", clientSecret: "a secret" },
]);

/** An app, a user with a file, and calls from one network. */
async function scene() {
  const env = {
    RATE_LIMIT: String(perWindow),
    AUTH_RATE_LIMIT: "100",
    TRUST_PROXY: "1",
    SIGN_IN_PROVIDERS,
  };
  const app = await startApp({ env });
  onTestFinished(() => app.close());
  const { card, user } = await start(app);
  const { body: file } = await upload(app, user, card, png, { filename: "tree.png" });
  const from = async (call: Call) => (await app.call({ ...call, headers: address })).status;
  const spendAnonymous = async () => {
    for (let nth = 0; nth < anonymous; nth++) {
      expect(await from({ method: "GET", path: "/permissions" })).toBe(200);
    }
    expect(await from({ method: "GET", path: "/permissions" })).toBe(429);
  };
  return { app, user, file: String(file.publicId), from, spendAnonymous };
}

type Scene = Awaited<ReturnType<typeof scene>>;
const post = (path: string, body: object): Call => ({ method: "POST", path, body });

/** For each operation a valid call, made anew, and one whose secret is wrong. */
const secrets: Partial<
  Record<Operation, { valid: (scene: Scene) => Promise<Call>; wrong: (scene: Scene) => Call }>
> = {
  "auth.login": {
    valid: async ({ app }) => {
      const { email } = await makeUser(app);
      return post("/auth/login", { email, password: "a password for tests" });
    },
    wrong: () => post("/auth/login", { email: "stranger@example.com", password: "a guess" }),
  },
  "auth.confirm": {
    valid: async ({ app }) => {
      const owner = await makeUser(app);
      const { recoveryCodes } = await addTotp(app, owner);
      const { challenge } = await challengeOf(app, owner);
      return post("/auth/confirm", { challenge, code: recoveryCodes[0] });
    },
    wrong: () => post("/auth/confirm", { challenge: "guess", code: "000000" }),
  },
  "auth.refresh": {
    valid: async ({ app }) =>
      post("/auth/refresh", { refreshToken: (await makeUser(app)).refreshToken }),
    wrong: () => post("/auth/refresh", { refreshToken: "rt_guess" }),
  },
  "oauth.token": {
    valid: async ({ app }) => {
      const { clientId, refreshToken } = await connectApp(app, await makeUser(app));
      return post("/oauth/token", { grantType: "refresh_token", clientId, refreshToken });
    },
    wrong: () =>
      post("/oauth/token", {
        grantType: "refresh_token",
        clientId: "guess",
        refreshToken: "rt_guess",
      }),
  },
  "oauth.revoke": {
    valid: async ({ app }) => {
      const { clientId, refreshToken } = await connectApp(app, await makeUser(app));
      return post("/oauth/revoke", { clientId, token: refreshToken });
    },
    wrong: () => post("/oauth/revoke", { clientId: "guess", token: "rt_guess" }),
  },
  "signIn.finish": {
    valid: async ({ app }) => post("/sign-in/finish", await provedSignIn(app)),
    wrong: () => post("/sign-in/finish", { result: "guess", secret: "guess" }),
  },
  "attachment.file": {
    valid: async ({ user, file }) => {
      const { body } = await user.rest.get(`/attachments/${file}/file-url`);
      return { method: "GET", path: String(body.url).replace(/^.*(?=\/api\/v1)/, "") };
    },
    wrong: ({ file }) => ({ method: "GET", path: `/attachments/${file}/file?token=guess` }),
  },
};

const authenticating = Object.keys(policy).filter((name): name is keyof typeof secrets =>
  authenticatesCaller(ruleOf(name as Operation)),
);

describe.each(authenticating)("calls of %s", (name) => {
  const of = secrets[name];
  if (of === undefined) throw new Error(`${name} has no calls here.`);

  test("with a valid secret do not count for the network", async () => {
    const world = await scene();
    await world.spendAnonymous();
    const call = await of.valid(world);
    expect(await world.from(call)).toBe(200);
    for (let nth = 0; nth < perWindow - 1; nth++) await world.from(of.wrong(world));
    expect(await world.from(await of.valid(world))).toBe(200);
  });

  test("with a wrong secret are limited, and delay no other call of the network", async () => {
    const world = await scene();
    const statuses: number[] = [];
    for (let nth = 0; nth <= perWindow; nth++) statuses.push(await world.from(of.wrong(world)));
    expect(statuses.indexOf(429)).toBe(perWindow);
    expect(await world.from({ method: "GET", path: "/permissions" })).toBe(200);
  });

  test("with an invalid body are limited too", async () => {
    const world = await scene();
    const { method, path } = of.wrong(world);
    const call = {
      method,
      path: path.replace(/\?.*/, ""),
      body: method === "GET" ? undefined : {},
    };
    const statuses: number[] = [];
    for (let nth = 0; nth <= perWindow; nth++) statuses.push(await world.from(call));
    expect(statuses.indexOf(429)).toBe(perWindow);
  });
});

test("sign-ins of one account end, and are its user's own", async () => {
  const { app, from } = await scene();
  const [one, other] = [await makeUser(app), await makeUser(app)];
  const login = ({ email }: typeof one) =>
    from(post("/auth/login", { email, password: "a password for tests" }));
  const statuses: number[] = [];
  for (let nth = 0; nth < 9; nth++) statuses.push(await login(one));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429]);
  expect(await login(other)).toBe(200);
});

test("downloads of one URL past their limit delay no sign-in of their network", async () => {
  const world = await scene();
  const call = await secrets["attachment.file"]?.valid(world);
  if (call === undefined) throw new Error("attachment.file has no calls here.");
  const statuses: number[] = [];
  for (let nth = 0; nth < 2 * perWindow + 1; nth++) statuses.push(await world.from(call));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const login = await secrets["auth.login"]?.valid(world);
  expect(login === undefined ? undefined : await world.from(login)).toBe(200);
});
