import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { createIssuer, newIssuerKey, type Issuer } from "../../../src/client/server/index.ts";
import { startApp, type App } from "../../support/app.ts";
import { startStandIn, type StandIn } from "../../support/stand-in.ts";

const url = "http://boards.test";
let backend: StandIn;
let issuer: Issuer;
let app: App;

beforeAll(async () => {
  const key = await newIssuerKey();
  backend = await startStandIn(({ path }) => {
    if (path === "/.well-known/openid-configuration") {
      return { status: 200, body: issuer.discovery };
    }
    return { status: 200, body: issuer.jwks };
  });
  issuer = createIssuer({ issuer: backend.url, audience: "boards", key });
  app = await startApp({ env: { OIDC_ISSUER: backend.url, OIDC_AUDIENCE: "boards" } });
});
afterAll(async () => {
  await app.close();
  await backend.stop();
});

const actAs = (token: string | (() => Promise<string>)) =>
  createClient({
    url,
    auth: { token },
    fetch: async (address, init) => app.fetch(new Request(address, init)),
  });

test("a backend that is the issuer acts as its users", async () => {
  const picture = "https://corp.example/ada.png";
  const identity = { subject: "user-1", email: "ada@corp.example", name: "Ada", picture };
  const ada = actAs(issuer.actAs(identity));
  const user = await ada.user.me();
  expect(user).toMatchObject({ email: "ada@corp.example", name: "Ada", image: picture });
  const { publicId } = await ada.workspace.create({ name: "Engines" });
  const ben = actAs(issuer.actAs({ subject: "user-2", email: "ben@corp.example" }));
  await expect(ben.workspace.get({ workspacePublicId: publicId })).rejects.toMatchObject({
    status: 403,
  });
  expect((await actAs(issuer.actAs({ subject: "user-1" })).user.me()).publicId).toBe(user.publicId);
});

test("a token is used again for half of its five minutes", async () => {
  const token = issuer.actAs({ subject: "user-3" });
  const first = await token();
  expect(await token()).toBe(first);
  const claims = JSON.parse(Buffer.from(first.split(".")[1] ?? "", "base64url").toString());
  expect(claims.exp - claims.iat).toBe(300);
});

test("the published keys are public, and another key signs nothing", async () => {
  expect(JSON.stringify(issuer.jwks)).not.toContain('"d"');
  const key = await newIssuerKey();
  const other = createIssuer({ issuer: backend.url, audience: "boards", key });
  await expect(actAs(other.actAs({ subject: "user-1" })).user.me()).rejects.toMatchObject({
    status: 401,
  });
});

test("an issuer with a final slash is the one that the service names", async () => {
  const key = await newIssuerKey();
  const slashed = `${backend.url}/`;
  const named = createIssuer({ issuer: slashed, audience: "boards", key });
  const before = issuer;
  issuer = named;
  const other = await startApp({ env: { OIDC_ISSUER: slashed, OIDC_AUDIENCE: "boards" } });
  onTestFinished(async () => {
    issuer = before;
    await other.close();
  });
  const token = await named.actAs({ subject: "user-9", email: "iss@corp.example" })();
  const me = await other.call({ method: "GET", path: "/users/me", token });
  expect(me.body.email).toBe("iss@corp.example");
});
