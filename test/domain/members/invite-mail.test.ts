import { expect, onTestFinished, test } from "vitest";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { tally } from "../../kernel/access/membership.ts";
import { startApp, useApp } from "../../support/app.ts";
import { makeUser, makeWorkspace, type User } from "../../support/make.ts";

const app = useApp({ constants: { INVITES_PER_DAY: 4, INVITES_PER_ADDRESS: 2 } });

const mailTo = async (email: string) =>
  (await mailsTo(app(), email)).at(-1) ?? { subject: "", text: "" };

test.each([
  "Your bank\nhttps://evil.example/login\nPlease",
  "https://evil.example/login",
  "www.evil.example",
  "Ann\r\n\r\nClick evil.example \u2028 now",
])("a name such as %j adds no line and no link to an invite", async (name) => {
  const admin = await makeUser(app(), name);
  const { publicId } = await makeWorkspace(app(), admin);
  await admin.rest.put(`/workspaces/${publicId}`, { name: name.slice(0, 64) });
  const email = `${publicId}@example.com`;
  const path = `/workspaces/${publicId}/members/invite`;
  expect((await admin.rest.post(path, { email })).status).toBe(200);
  const { subject, text } = await mailTo(email);
  expect(subject).not.toMatch(/:\/\/|\.example/);
  const [greeting = "", ...rest] = text.split("\n\n");
  expect(greeting).not.toMatch(/\n|:\/\/|\.example/);
  expect(rest).toHaveLength(2);
});

test("one workspace mails an address three times a day, and others can still invite it", async () => {
  const strict = await startApp();
  onTestFinished(() => strict.close());
  const [one, other] = [await makeWorkspace(strict), await makeWorkspace(strict)];
  const invite = async ({ admin, publicId }: typeof one) =>
    (
      await admin.rest.post(`/workspaces/${publicId}/members/invite`, {
        email: "often@example.com",
      })
    ).status;
  for (let count = 0; count < 3; count++) expect(await invite(one)).toBe(200);
  expect(await invite(one)).toBe(429);
  expect(await invite(other)).toBe(200);
});

test("one account with many workspaces leaves others their invites to an address", async () => {
  const strict = await startApp();
  onTestFinished(() => strict.close());
  const first = await makeWorkspace(strict);
  const email = "popular@example.com";
  const statuses: number[] = [];
  for (let nth = 0; nth < 7; nth++) {
    const { publicId } = await makeWorkspace(strict, first.admin);
    const path = `/workspaces/${publicId}/members`;
    const { status, body } = await first.admin.rest.post(`${path}/invite`, { email });
    statuses.push(status);
    if (status === 200) await first.admin.rest.delete(`${path}/${body.publicId}`);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429]);
  const other = await makeWorkspace(strict);
  const path = `/workspaces/${other.publicId}/members/invite`;
  expect((await other.admin.rest.post(path, { email })).status).toBe(200);
});

test("invites by mail are limited per inviter and per recipient", async () => {
  const one = await makeWorkspace(app());
  const other = await makeWorkspace(app());
  const invite = async ({ admin, publicId }: typeof one, email: string) =>
    (await admin.rest.post(`/workspaces/${publicId}/members/invite`, { email })).status;
  expect(await invite(one, "often@example.com")).toBe(200);
  expect(await invite(other, "often@example.com")).toBe(200);
  expect(await invite(one, "often@example.com")).toBe(429);
  for (const name of ["a", "b", "c"]) {
    expect(await invite(one, `${name}-limit@example.com`)).toBe(200);
  }
  expect(await invite(one, "d-limit@example.com")).toBe(429);
});

test.each([
  ["inviter", { 200: 4, 429: 4 }],
  ["recipient", { 200: 2, 429: 6 }],
])(
  "invites per %s are as many as the limit says however many are sent at a time",
  async (who, counts) => {
    const inviter = await makeUser(app());
    const invite = async (admin: User | undefined, email: string) => {
      const workspace = await makeWorkspace(app(), admin);
      const path = `/workspaces/${workspace.publicId}/members/invite`;
      return () => workspace.admin.rest.post(path, { email });
    };
    const calls = await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        who === "inviter"
          ? invite(inviter, `${inviter.publicId}-${nth}@example.com`)
          : invite(undefined, `${inviter.publicId}@example.com`),
      ),
    );
    expect(tally(await Promise.all(calls.map((call) => call())))).toEqual(counts);
  },
);
