import { afterAll, expect, test } from "vitest";
import { fingerprint } from "../../../src/kernel/access/credentials.ts";
import { sealCodes } from "../../../src/domain/members/invite-code.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { startGitHub } from "../../support/github.ts";
import { provedSignIn } from "../../support/proved-sign-in.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { addTotp, challengeOf } from "../../support/second-factor.ts";

const github = await startGitHub();
afterAll(() => github.stop());
const app = useApp({
  env: {
    VERIFY_EMAIL: "true",
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
    RETURN_URLS: "https://app.example",
    WEBHOOK_ALLOW_HTTP: "true",
  },
});
const password = "a password for tests";

/** Every column of every table that can hold text, from the catalogue. */
const textColumns = sql`SELECT c.relname AS "table", a.attname AS "column"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attnum > 0 AND NOT a.attisdropped
    AND (t.typcategory IN ('S', 'A', 'U') OR t.typname IN ('json', 'jsonb', 'bytea'))`;

/** The columns in which a secret is found, in plain text or in Base64. */
async function columnsWith(secret: string): Promise<string[]> {
  const columns = await app().db.read<{ table: string; column: string }>(textColumns);
  expect(columns.length).toBeGreaterThan(100);
  const forms = [secret, Buffer.from(secret).toString("base64").replace(/=+$/, "")];
  const found: string[] = [];
  for (const { table, column } of columns) {
    const text = sql`${sql.identifier(column)}::text`;
    const rows = await app().db.read(
      sql`SELECT 1 FROM ${sql.identifier(table)}
        WHERE EXISTS (SELECT 1 FROM unnest(${forms}::text[]) AS form WHERE strpos(${text}, form) > 0)
        LIMIT 1`,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

const inText = (text: string | undefined, pattern: RegExp) => pattern.exec(text ?? "")?.[1] ?? "";

/** Issues one of each secret. */
async function issue(): Promise<Record<string, string>> {
  const workspace = await makeWorkspace(app());
  const { rest, email, refreshToken, token } = workspace.admin;
  const path = `/workspaces/${workspace.publicId}`;
  const [verification] = await mailsTo(app(), email);
  const verificationToken = inText(verification?.text, /The token is (\S+)/);
  await rest.post("/auth/verify-email", { token: verificationToken });
  const { body: link } = await rest.post(`${path}/invites`);
  await rest.post(`${path}/members/invite`, { email: "invited@example.com" });
  const [invitation] = await mailsTo(app(), "invited@example.com");
  await rest.post("/auth/password/reset-request", { email });
  const reset = (await mailsTo(app(), email)).at(-1);
  const { body: key } = await rest.post("/auth/api-keys", { name: "Key", password });
  const { body: ticket } = await rest.post("/auth/stream-ticket", {});
  const { body: hook } = await rest.post(
    `${path}/webhooks`,
    { name: "Hook", url: "http://93.184.216.34/hook", events: ["card.created"] },
    { headers: { "Idempotency-Key": publicId() } },
  );
  const plain = await rest.get("/integration/authorize");
  const nonce = inText(plain.headers.get("set-cookie") ?? "", /=([^;]+)/);
  const forApp = await rest.get("/integration/authorize?returnUrl=https%3A%2F%2Fapp.example");
  const { headers } = await fetch(forApp.body.url, { redirect: "manual" });
  const { pathname, search, searchParams } = new URL(headers.get("location") ?? "");
  const back = await app().fetch(new Request(`http://service${pathname}${search}`));
  const result = new URL(back.headers.get("location") ?? "").searchParams.get("result") ?? "";
  const signIn = await provedSignIn(app());
  const owner = await makeUser(app());
  await app().db.write(
    sql`UPDATE users SET "emailVerifiedAt" = now() WHERE email = ${owner.email}`,
  );
  const { secret: totpSecret, recoveryCodes } = await addTotp(app(), owner);
  const { challenge } = await challengeOf(app(), owner);
  return {
    password,
    signInSecret: signIn.secret,
    signInResult: signIn.result,
    totpSecret,
    recoveryCode: recoveryCodes[0] ?? "",
    challenge,
    token,
    refreshToken,
    verificationToken,
    inviteCode: link.inviteCode,
    mailedCode: inText(invitation?.text, /The invite code is (\S+)/),
    resetToken: inText(reset?.text, /The token is (\S+)/),
    apiKey: key.key,
    ticket: ticket.ticket,
    webhookSecret: hook.secret,
    nonce,
    result,
    state: searchParams.get("state") ?? "",
    code: searchParams.get("code") ?? "",
  };
}

test("no table holds a secret that was issued", async () => {
  const secrets = await issue();
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(11);
    expect({ name, columns: await columnsWith(secret) }).toEqual({ name, columns: [] });
  }
  // The search finds what is there.
  expect(await columnsWith("invited@example.com")).toContain("members.email");
});

test("codes of links from an earlier version are sealed at the start, and stay readable", async () => {
  const workspace = await makeWorkspace(app());
  const path = `/workspaces/${workspace.publicId}`;
  await workspace.admin.rest.post(`${path}/invites`);
  const code = `old-${publicId()}-${publicId()}`;
  await app().db.transact((prisma) =>
    prisma.invite.updateMany({
      where: { workspace: { publicId: workspace.publicId } },
      data: { codeHash: fingerprint(code), sealedCode: code },
    }),
  );
  expect(await columnsWith(code)).toEqual(["invites.sealedCode"]);
  await sealCodes(app().deps);
  await sealCodes(app().deps);
  expect(await columnsWith(code)).toEqual([]);
  expect((await workspace.admin.rest.get(`${path}/invite`)).body.inviteCode).toBe(code);
  const user = await makeUser(app());
  const joined = await user.rest.post("/invites/accept", { inviteCode: code });
  expect(joined.status).toBe(200);
});
