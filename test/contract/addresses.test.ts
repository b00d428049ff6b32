import { expect, test } from "vitest";
import { Email } from "../../src/contract/vocabulary/email.ts";
import { useApp } from "../support/app.ts";
import { makeWorkspace } from "../support/make.ts";

const app = useApp();

const accepted = [
  "r&d@corp.com",
  "c@müller-bau.de",
  "jörg@example.org",
  "用户@例え.テスト",
  "o'brien+x@sub.example.co.uk",
  "a/b=c{d}|e~f^g`h!#$%*?@example.org",
  "root@localhost",
  "राम@डाटा.भारत",
];

test.each(accepted)("%s is an address wherever one is given", async (address) => {
  const { admin, publicId } = await makeWorkspace(app());
  // Each run has its own: the local part has letters to spare.
  const email = `${publicId}${address}`;
  const invited = await admin.rest.post(`/workspaces/${publicId}/members/invite`, { email });
  expect(invited).toMatchObject({ status: 200, body: { email } });
  const password = "a password for tests";
  const made = await admin.rest.post("/auth/register", { email, password, name: "A" });
  expect(made).toMatchObject({ status: 200, body: { user: { email } } });
  expect((await admin.rest.post("/auth/login", { email, password })).status).toBe(200);
});

const refused = [
  "",
  "@example.org",
  "a@",
  "a b@example.org",
  "a,b@example.org",
  "Ann <a@example.org>",
  "a@example.org\r\nBcc: b@example.org",
  'a"b@example.org',
  "a@-example.org",
  "a@example-.org",
  "a@example..org",
  "a@exa mple.org",
  "a@exam\u200Bple.org",
  "a\u202Eb@example.org",
  "a\u00A0b@example.org",
  "a@b@example.org",
];

test.each(refused)("%j is no address", (address) => {
  expect(Email.safeParse(address).success).toBe(false);
});

test("an address has one spelling", () => {
  expect(Email.parse(" JO\u0308RG@Example.ORG ")).toBe("jörg@example.org");
});
