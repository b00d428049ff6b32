import { describe, expect, test } from "vitest";
import { eventsIn, tally } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { makeUser, type User } from "../../support/make.ts";

const app = useApp({ isolated: true });

const create = (user: User, body: object) => user.rest.post("/workspaces", body);
const random = () => Math.random().toString(36).slice(2, 12);

describe("workspace.create", () => {
  test("returns only the contract's fields", async () => {
    const user = await makeUser(app());
    const slug = `Acme-${random()}`;
    const { status, body, headers } = await create(user, {
      name: "  Acme Ltd ",
      description: "Anvils",
      slug,
    });
    expect({ status, body, etag: headers.get("etag") }).toEqual({
      status: 200,
      etag: '"1"',
      body: {
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        name: "Acme Ltd",
        slug,
        description: "Anvils",
        plan: "free",
        cardPrefix: "AL",
      },
    });
  });

  test("makes the caller the only member, with role admin", async () => {
    const user = await makeUser(app());
    const { body } = await create(user, { name: "Mine" });
    const { body: seen } = await user.rest.get(`/workspaces/${body.publicId}`);
    expect(seen.role).toBe("admin");
    expect(seen.permissions).toHaveLength(24);
    const members = await user.rest.get(`/workspaces/${body.publicId}/members`);
    expect(members.body.items).toMatchObject([
      { publicId: seen.memberPublicId, email: user.email, status: "active" },
    ]);
  });

  test("emits one event", async () => {
    const user = await makeUser(app());
    const { body } = await create(user, { name: "Mine" });
    expect(await eventsIn(app(), body.publicId)).toMatchObject([
      {
        type: "workspace.created",
        data: { workspace: { publicId: body.publicId, name: "Mine" } },
        changes: null,
      },
    ]);
  });
});

describe("a workspace's slug", () => {
  test.each([
    ["Crème Brûlée 2", "creme-brulee-2"],
    ["Straße", "strasse"],
    ["Привет мир", "privet-mir"],
    ["a -- b & c", "a-b-c"],
  ])("is derived from the name %s as %s", async (name, slug) => {
    const unique = random();
    const { body } = await create(await makeUser(app()), { name: `${name} ${unique}` });
    expect(body.slug).toBe(`${slug}-${unique}`);
  });

  test.each(["!!!", "🎉🎉", "ab", "New", "settings", "by slug", "---"])(
    "is random for %s, which has no usable characters",
    async (name) => {
      const [one, other] = [
        await create(await makeUser(app()), { name }),
        await create(await makeUser(app()), { name }),
      ];
      for (const { status, body } of [one, other]) {
        expect(status).toBe(200);
        expect(body.slug).toMatch(/^(?![-]+$)[a-z0-9-]{3,64}$/);
        expect(["new", "settings", "by-slug"]).not.toContain(body.slug);
      }
      expect(one.body.slug).not.toBe(other.body.slug);
    },
  );

  test("is made unique when it is taken, also at 64 characters", async () => {
    const user = await makeUser(app());
    const name = random().padEnd(64, "x");
    const slugs = new Set<string>();
    for (let round = 0; round < 3; round++) slugs.add((await create(user, { name })).body.slug);
    expect(slugs.size).toBe(3);
    for (const slug of slugs) expect(slug.length).toBeLessThanOrEqual(64);
  });

  test("is unique ignoring case, also among deleted workspaces", async () => {
    const [owner, user] = [await makeUser(app()), await makeUser(app())];
    const slug = `taken-${random()}`;
    const { body } = await create(owner, { name: "One", slug });
    const conflict = { status: 409, body: { code: "CONFLICT", issues: [{ path: ["slug"] }] } };
    expect(await create(user, { name: "Two", slug: slug.toUpperCase() })).toMatchObject(conflict);
    await owner.rest.delete(`/workspaces/${body.publicId}`);
    expect(await create(user, { name: "Two", slug })).toMatchObject(conflict);
    expect((await user.rest.get("/workspaces")).body).toEqual([]);
  });

  test("is assigned to one of many concurrent requests", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(app())));
    const slug = `race-${random()}`;
    const replies = await Promise.all(users.map((user) => create(user, { name: "Race", slug })));
    expect(tally(replies)).toEqual({ 200: 1, 409: 5 });
  });

  test("is derived for each of many concurrent requests", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(app())));
    const name = `Race ${random()}`;
    const replies = await Promise.all(users.map((user) => create(user, { name })));
    expect(tally(replies)).toEqual({ 200: 6 });
    expect(new Set(replies.map(({ body }) => body.slug)).size).toBe(6);
  });

  test.each([
    "by-slug",
    "check-slug-availability",
    "api",
    "Admin",
    "docs",
    "trpc",
    "health",
    "settings",
    "login",
    "NEW",
  ])("cannot be %s", async (slug) => {
    expect((await create(await makeUser(app()), { name: "Reserved", slug })).status).toBe(409);
  });

  test.each(["ab", "x".repeat(65), "---", "white space", "ünder", "under_score", "dot.dot", ""])(
    "cannot look like %j",
    async (slug) => {
      const { status, body } = await create(await makeUser(app()), { name: "Wrong", slug });
      expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: ["slug"] });
    },
  );
});

describe("a workspace's card prefix", () => {
  test.each([
    ["Engineering", "ENG"],
    ["ab", "AB"],
    ["q", "Q"],
    ["42nd street", "4S"],
    ["Research and Development", "RAD"],
    ["One Two Three Four Five", "OTTF"],
    ["Élan", "ELA"],
    ["Œuvre d’art", "OD"],
    ["(Q4) plans!", "QP"],
    ["& & &", "WS"],
    ["🎉", "WS"],
    ["🎉 party time", "PT"],
  ])("of %s is %s", async (name, cardPrefix) => {
    const { body } = await create(await makeUser(app()), { name });
    expect(body.cardPrefix).toBe(cardPrefix);
  });

  test("does not have to be unique", async () => {
    const user = await makeUser(app());
    const made = [await create(user, { name: "Same" }), await create(user, { name: "Same" })];
    expect(made.map(({ body }) => body.cardPrefix)).toEqual(["SAM", "SAM"]);
  });
});
