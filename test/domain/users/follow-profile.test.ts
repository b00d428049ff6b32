import { expect, test } from "vitest";
import { freshEmail, signUp, withDeps, request } from "../auth/account.ts";
import { as } from "../../support/as.ts";
import { startIssuerApp } from "../../support/issuer-app.ts";
import { notingReads } from "../../support/noting-reads.ts";

const { app, issuer } = await startIssuerApp();

const picture = (name: string) => `https://id.example.com/${name}.png`;

/** A subject of the issuer, whose tokens have other claims each time, a minute later. */
function subject(email = freshEmail()) {
  const claims = { sub: freshEmail(), email, email_verified: true, name: "Grace" };
  const token = async (more: object = {}) => {
    app.advance(60_000);
    return issuer.token(app.deps.clock(), { ...claims, ...more });
  };
  const me = async (more: object = {}) =>
    (await as(app, await token(more)).rest.get("/users/me")).body;
  return { token, me };
}

test("a new account has the picture of its token", async () => {
  const { me } = subject();
  expect(await me({ picture: picture("a") })).toMatchObject({ name: "Grace", image: picture("a") });
});

test("a picture that is no https URL is ignored", async () => {
  for (const wrong of [
    "http://id.example.com/a.png",
    "javascript:alert(1)",
    "",
    1,
    "https://x".padEnd(3_000, "x"),
  ]) {
    const { me } = subject();
    expect(await me({ picture: wrong })).toMatchObject({ image: null });
  }
});

test("name and picture follow the next token, in all workspaces", async () => {
  const { token, me } = subject();
  const { rest } = as(app, await token({ picture: picture("a") }));
  const { body: workspace } = await rest.post("/workspaces", { name: "Home" });
  const path = `/workspaces/${workspace.publicId}`;
  const { body: start } = await rest.get(`${path}/events?cursor=now`);
  const after = await me({ name: "Grace Hopper", picture: picture("b") });
  expect(after).toMatchObject({ name: "Grace Hopper", image: picture("b") });
  const { body: events } = await rest.get(`${path}/events?cursor=${start.nextCursor}`);
  expect(events.items).toMatchObject([
    {
      type: "member.updated",
      data: { member: { name: "Grace Hopper", image: picture("b") } },
      actor: { type: "user" },
    },
  ]);
  const { body: members } = await rest.get(`${path}/members`);
  expect(members.items[0]).toMatchObject({ name: "Grace Hopper", image: picture("b") });
});

test("a missing or unchanged claim changes nothing, not even a name that the user has set", async () => {
  const { token, me } = subject();
  const { rest } = as(app, await token({ picture: picture("a") }));
  await rest.get("/users/me");
  const mine = { name: "Amazing Grace", image: picture("mine") };
  const { body } = await rest.put("/users/me", mine);
  expect(await me({ picture: picture("a") })).toEqual(body);
  expect(await me({ name: undefined })).toEqual(body);
  expect(await me({ picture: picture("b") })).toMatchObject({ ...mine, image: picture("b") });
  expect(await me({ name: "Grace H." })).toMatchObject({ name: "Grace H.", image: picture("b") });
});

test("an older token changes nothing", async () => {
  const { token } = subject();
  const [old, newer] = [await token({ name: "Old" }), await token({ name: "New" })];
  const nameWith = async (one: string) => (await as(app, one).rest.get("/users/me")).body.name;
  await nameWith(await token({ name: "First" }));
  expect(await nameWith(newer)).toBe("First");
  const newest = await token({ name: "Newest" });
  expect(await nameWith(newest)).toBe("Newest");
  expect(await nameWith(old)).toBe("Newest");
});

test("an account that is claimed gets a missing picture, and its name stays", async () => {
  const { user } = await signUp(app);
  const { me } = subject(user.email);
  expect(await me({ picture: picture("a") })).toMatchObject({
    name: user.name,
    image: picture("a"),
  });
  expect(await me({ name: "Renamed" })).toMatchObject({ name: "Renamed", image: picture("a") });
});

test("concurrent calls with a new token have one event", async () => {
  const { token } = subject();
  const { rest } = as(app, await token());
  const { body: workspace } = await rest.post("/workspaces", { name: "Home" });
  const path = `/workspaces/${workspace.publicId}`;
  const { body: start } = await rest.get(`${path}/events?cursor=now`);
  const next = as(app, await token({ name: "Grace Hopper" }));
  await Promise.all([1, 2, 3, 4].map(() => next.rest.get("/users/me")));
  const { body: events } = await rest.get(`${path}/events?cursor=${start.nextCursor}`);
  expect(events.items.map(({ type }: { type: string }) => type)).toEqual(["member.updated"]);
});

test("a token is compared once", async () => {
  const { token } = subject();
  const one = await token();
  await as(app, one).rest.get("/users/me");
  await as(app, one).rest.get("/users/me");
  const statements: string[] = [];
  const db = notingReads(app.db, ({ text }) => statements.push(text));
  const call = withDeps(app, { db });
  expect((await call(request("GET", "/users/me/cards", one))).status).toBe(200);
  const comparisons = () => statements.filter((text) => text.startsWith("SELECT * FROM users"));
  expect(comparisons()).toEqual([]);
  await call(request("GET", "/users/me/cards", await token({ name: "Newer" })));
  expect(comparisons()).toHaveLength(1);
});
