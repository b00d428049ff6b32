import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeUser } from "../support/make.ts";
import { expectFailure, expectFaults } from "./failure.ts";

const app = useApp();
const id = expect.stringMatching(/^[0-9a-z]{12}$/);
const slugOfOnesOwn = () => `slug-${Math.random().toString(36).slice(2)}`;

describe("POST /workspaces", () => {
  test("returns exactly the interface's fields and makes the caller its admin", async () => {
    const user = await makeUser(app());
    const slug = slugOfOnesOwn();
    const { status, body } = await user.rest.post("/workspaces", {
      name: "  Big Blue Ocean ",
      description: " As it is ",
      slug,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      publicId: id,
      name: "Big Blue Ocean",
      slug,
      description: " As it is ",
      plan: "free",
      cardPrefix: "BBO",
    });
    const { body: mine } = await user.rest.get("/workspaces");
    expect(mine).toMatchObject([{ role: "admin", workspace: { publicId: body.publicId } }]);
  });

  test("needs only a name, and derives a slug from it", async () => {
    const { rest } = await makeUser(app());
    const name = `Héllo ${Math.random().toString(36).slice(2)}`;
    const { body } = await rest.post("/workspaces", { name });
    expect(body).toEqual({
      publicId: id,
      name,
      slug: name.toLowerCase().replace("é", "e").replace(" ", "-"),
      description: null,
      plan: "free",
      cardPrefix: `H${name.slice(6, 7).toUpperCase()}`,
    });
    const { body: again } = await rest.post("/workspaces", { name });
    expect(again.slug).toMatch(new RegExp(`^${body.slug}-[0-9a-z]+$`));
    const { body: bare } = await rest.post("/workspaces", { name: "🙂" });
    expect(bare).toMatchObject({
      name: "🙂",
      slug: expect.stringMatching(/^(?!-+$)[a-z0-9-]{3,64}$/),
    });
  });

  test.each([
    ["1 character", { name: "a" }],
    ["64 characters", { name: "a".repeat(64) }],
    ["64 characters of two halves each", { name: "🙂".repeat(64) }],
    ["64 characters between spaces", { name: `  ${"a".repeat(64)}  ` }],
    ["a description of 280 characters", { name: "a", description: "🙂".repeat(280) }],
    ["an empty description", { name: "a", description: "" }],
    ["no description", { name: "a", description: null }],
  ])("accepts %s", async (_, body) => {
    const { rest } = await makeUser(app());
    const reply = await rest.post("/workspaces", body);
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 200,
      body: { ...body, name: body.name.trim() },
    });
  });

  test.each([
    ["no name", {}, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name of spaces", { name: " \t\n " }, "name"],
    ["65 characters", { name: "a".repeat(65) }, "name"],
    ["65 characters of two halves each", { name: "🙂".repeat(65) }, "name"],
    ["null as name", { name: null }, "name"],
    ["a number as name", { name: 1 }, "name"],
    ["a list as name", { name: ["a"] }, "name"],
    ["a long description", { name: "a", description: "a".repeat(281) }, "description"],
    ["a number as description", { name: "a", description: 1 }, "description"],
    ["null as slug", { name: "a", slug: null }, "slug"],
    ["a plan", { name: "a", plan: "pro" }, "plan"],
    ["a prefix", { name: "a", cardPrefix: "A" }, "cardPrefix"],
  ])("rejects %s", async (_, body, field) => {
    const { rest } = await makeUser(app());
    expectFaults(await rest.post("/workspaces", body), field);
    expect((await rest.get("/workspaces")).body).toEqual([]);
  });

  test.each([3, 64])("accepts a slug of %i characters", async (length) => {
    const { rest } = await makeUser(app());
    const slug = slugOfOnesOwn().replace("slug-", "").padEnd(64, "x").slice(0, length);
    const { status, body } = await rest.post("/workspaces", { name: "a", slug });
    expect({ status, slug: body.slug }).toEqual({ status: 200, slug });
  });

  test.each(["-a-", "9-9", "a--"])("accepts the slug %s", async (slug) => {
    const { rest } = await makeUser(app());
    expect((await rest.post("/workspaces", { name: "a", slug })).body.slug).toBe(slug);
  });

  test.each([
    "",
    "ab",
    "x".repeat(65),
    "---",
    "-".repeat(64),
    "a b c",
    "a_b",
    "äöü",
    "a/b",
    "abc\n",
  ])("rejects the slug %j", async (slug) => {
    const { rest } = await makeUser(app());
    const reply = await rest.post("/workspaces", { name: "a", slug });
    expectFaults(reply, "slug");
  });

  test("stores slugs as given, and is 409 for one that is taken or reserved in any case", async () => {
    const { rest } = await makeUser(app());
    const slug = slugOfOnesOwn();
    const first = await rest.post("/workspaces", { name: "a", slug: slug.toUpperCase() });
    expect(first.body.slug).toBe(slug.toUpperCase());
    for (const taken of [slug, slug.toUpperCase(), "admin", "API", "by-slug"]) {
      const reply = await rest.post("/workspaces", { name: "b", slug: taken });
      expectFailure(reply, "CONFLICT", [{ path: ["slug"] }]);
    }
    expect((await rest.get("/workspaces")).body).toHaveLength(1);
  });

  test("assigns a slug to one of two concurrent requests", async () => {
    const { rest } = await makeUser(app());
    const body = { name: "a", slug: slugOfOnesOwn() };
    const replies = await Promise.all([1, 2, 3].map(() => rest.post("/workspaces", body)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});
