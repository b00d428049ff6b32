import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeUser, type User } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { statementOf } from "../../support/statement-of.ts";
import { giveIdentity, giveIntegration, givePasswordReset } from "../../support/state.ts";

const app = useApp();
const password = "a password for tests";

/** Tables of a user that give no access to the account. */
const withoutAccess = [
  "memberships",
  // They restrict access: a password that is reset leads to them.
  "secondFactors",
  "recoveryCodes",
  "notifications",
  "favourites",
  "watching",
  "events",
  "operatorActions",
];
/** Tables of a user that give access, and end with a password reset. */
const withAccess = [
  ["sessions", `SELECT 1 FROM sessions WHERE "userId" = $1 AND "revokedAt" IS NULL`],
  ["apiKeys", `SELECT 1 FROM api_keys WHERE "userId" = $1 AND "revokedAt" IS NULL`],
  ["passwordResets", `SELECT 1 FROM password_resets WHERE "userId" = $1 AND "usedAt" IS NULL`],
  ["integrations", `SELECT 1 FROM integrations WHERE "userId" = $1`],
  ["oauthStates", `SELECT 1 FROM oauth_states WHERE "userId" = $1`],
  ["identities", `SELECT 1 FROM identities WHERE "userId" = $1`],
  ["signInChallenges", `SELECT 1 FROM sign_in_challenges WHERE "userId" = $1`],
  ["streamTickets", `SELECT 1 FROM stream_tickets WHERE "userId" = $1`],
] as const;

test("every table of a user is known to give access or not", () => {
  const schema = readFileSync(new URL("../../../prisma/schema.prisma", import.meta.url), "utf8");
  const user = /model User \{([\s\S]*?)\n\}/.exec(schema)?.[1] ?? "";
  const relations = [...user.matchAll(/^ {2}(\w+) +\w+\[\]$/gm)].flatMap(([, name]) =>
    name === undefined || /^(?:created|imported)/.test(name) ? [] : [name],
  );
  const known = new Set<string>([...withAccess.map(([name]) => name), ...withoutAccess]);
  expect(relations.filter((name) => !known.has(name))).toEqual([]);
});

/** Gives an account one of each credential, and returns its internal id. */
async function fill(user: User): Promise<bigint> {
  await user.rest.post("/auth/api-keys", { name: "Key", password });
  await user.rest.post("/auth/stream-ticket", {});
  await givePasswordReset(app(), user.publicId, fingerprint(`token of ${user.publicId}`));
  await giveIntegration(app(), user.publicId);
  await giveIdentity(app(), user.publicId);
  await app().db.write(sql`INSERT INTO sign_in_challenges ("userId", "challengeHash", "expiresAt")
    SELECT id, "publicId", now() + interval '5 minutes' FROM users
    WHERE "publicId" = ${user.publicId}`);
  const where = { publicId: user.publicId };
  return (await app().db.reader.user.findUniqueOrThrow({ where })).id;
}

const remaining = async (userId: bigint) => {
  const rows = withAccess.map(async ([name, text]) => [
    name,
    (await app().db.read(statementOf(text, [userId]))).length,
  ]);
  return Object.fromEntries(await Promise.all(rows));
};

const nothing = Object.fromEntries(withAccess.map(([name]) => [name, 0]));

test("a password reset revokes every credential", async () => {
  const user = await makeUser(app());
  const userId = await fill(user);
  const reset = await as(app()).rest.post("/auth/password/reset", {
    token: `token of ${user.publicId}`,
    newPassword: "a new password for tests",
  });
  expect(reset.status).toBe(200);
  expect(await remaining(userId)).toEqual(nothing);
});

test("a password change revokes API keys and connections when asked to", async () => {
  const user = await makeUser(app());
  const userId = await fill(user);
  const change = (currentPassword: string, newPassword: string, revokeCredentials: boolean) =>
    user.rest.put("/auth/password", { currentPassword, newPassword, revokeCredentials });
  expect((await change(password, "second password", false)).status).toBe(200);
  expect(await remaining(userId)).toMatchObject({ sessions: 1, apiKeys: 1, integrations: 1 });
  expect((await change("second password", "third password 3", true)).status).toBe(200);
  expect(await remaining(userId)).toEqual({ ...nothing, sessions: 1 });
});

test("a key without a scope requires the password, and its owner gets a mail", async () => {
  const user = await makeUser(app());
  const create = (body: object) => user.rest.post("/auth/api-keys", { name: "Key", ...body });
  expect((await create({})).status).toBe(400);
  expect((await create({ password: "another password" })).status).toBe(403);
  expect((await create({ password })).status).toBe(200);
  expect((await create({ permissions: ["card:view"] })).status).toBe(200);
  expect(await mailsTo(app(), user.email)).toHaveLength(2);
});
