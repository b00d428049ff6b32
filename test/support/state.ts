import { sql } from "../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../src/platform/db/transaction.ts";
import type { App } from "./app.ts";
import { keepCards } from "./kept.ts";

type Db = Pick<App, "db">;

/** A row of `members`: a member of the workspace, or a person who was invited or removed. */
export type InsertedMember = {
  email: string;
  role: string;
  status: "active" | "invited" | "removed";
  /** The public id of the account; absent for an address without an account. */
  user?: string | undefined;
};

/** Inserts a member as any writer could; the API makes members of people who accept. */
export async function insertMember(
  { db }: Db,
  workspacePublicId: string,
  { email, role, status, user }: InsertedMember,
): Promise<{ id: bigint; publicId: string }> {
  const rows = await db.write<{ id: bigint; publicId: string }>(sql`
    INSERT INTO members ("publicId", "workspaceId", "userId", email, "roleId", status)
    SELECT substr(md5(random()::text), 1, 12), w.id,
      (SELECT id FROM users WHERE "publicId" = ${user ?? null}), ${email}::text, r.id,
      ${status}::"MemberStatus"
    FROM workspaces w JOIN roles r ON r."workspaceId" = w.id AND r.name = ${role}
    WHERE w."publicId" = ${workspacePublicId}
    RETURNING id, "publicId"`);
  const [member] = rows;
  if (member === undefined) throw new Error(`${workspacePublicId} has no role ${role}.`);
  return member;
}

/** Inserts a workspace without an owner; the first accounts of an installation have no other. */
export async function insertWorkspace({ db }: Db, deletedAt: Date | null): Promise<string> {
  const [workspace] = await db.write<{ id: bigint; publicId: string }>(sql`
    INSERT INTO workspaces ("publicId", name, slug, "cardPrefix", "deletedAt")
    SELECT id, 'W', id, 'W', ${deletedAt}::timestamptz
    FROM substr(md5(random()::text), 1, 12) AS id RETURNING id, "publicId"`);
  if (workspace === undefined) throw new Error("No workspace was inserted.");
  await db.write(sql`
    INSERT INTO roles ("publicId", "workspaceId", name, "hierarchyLevel")
    VALUES (${workspace.publicId}, ${workspace.id}, 'guest', 10)`);
  return workspace.publicId;
}

/** Removes a member from all workspaces, and leaves their keys and sessions. */
export const removeMember = ({ db }: Db, email: string) =>
  db.write(sql`UPDATE members SET status = 'removed' WHERE email = ${email}`);

/** Claims a card for a user's member; the API claims for the caller only. */
export const insertClaim = ({ db, deps }: App, cardPublicId: string, userPublicId: string) =>
  db.write(sql`
    UPDATE cards c SET "claimedById" = m.id,
      "claimExpiresAt" = ${new Date(deps.clock().getTime() + 900_000)}
    FROM members m JOIN users u ON u.id = m."userId"
    WHERE c."publicId" = ${cardPublicId} AND m."workspaceId" = c."workspaceId"
      AND u."publicId" = ${userPublicId}`);

/** Inserts a checklist at the end of the card that has another one, past the limit of today. */
export const insertChecklist = ({ db }: Db, besides: string, name: string) =>
  db.write(sql`
    INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position)
    SELECT substr(md5(random()::text), 1, 12), "workspaceId", "cardId", ${name}::text, position + 1
    FROM checklists WHERE "publicId" = ${besides}`);

/** Adds items with the longest titles to a checklist; the API would need a call for each. */
export async function fillChecklist(
  { db }: Db,
  checklistPublicId: string,
  count: number,
): Promise<void> {
  await db.write(sql`
    INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position)
    SELECT substr(md5(n || random()::text), 1, 12), ch."workspaceId", ch.id, repeat('漢', 500),
      1000 + n
    FROM checklists ch, generate_series(1, ${count}::int) n
    WHERE ch."publicId" = ${checklistPublicId}`);
  await keepCards(
    { db },
    sql`c.id = (SELECT "cardId" FROM checklists WHERE "publicId" = ${checklistPublicId})`,
  );
}

/** Takes the password from an account, as if a trusted issuer had created it. */
export const removePassword = ({ db }: Db, email: string) =>
  db.write(sql`UPDATE users SET "passwordHash" = NULL WHERE email = ${email}`);

/** Copies the newest API key of an account; the API would need a call for each. */
export const copyNewestKey = ({ db }: Db, copies: number) =>
  db.write(sql`
    INSERT INTO api_keys ("publicId", "keyHash", "userId", name, prefix)
    SELECT substr(md5(random()::text), 1, 12), md5(random()::text), k."userId", k.name, k.prefix
    FROM (SELECT * FROM api_keys ORDER BY id DESC LIMIT 1) AS k, generate_series(1, ${copies}::int)`);

/** Removes all jobs, so that the next test starts with an empty queue. */
export const deleteJobs = ({ db }: Db) => db.write(sql`DELETE FROM jobs`);

/** Adds a mail job as an earlier version did: its payload is not sealed. */
export const insertMailJob = ({ db, deps }: App, payload: object) =>
  db.write(sql`
    INSERT INTO jobs (kind, payload, "maxAttempts", "runAt", "createdAt")
    VALUES ('mail', ${JSON.stringify(payload)}::jsonb, 15, ${deps.clock()}::timestamptz,
      ${deps.clock()}::timestamptz)`);

/** Gives an account a password reset, without mail. */
export const givePasswordReset = ({ db }: Db, user: string, tokenHash: string) =>
  db.write(sql`
    INSERT INTO password_resets ("userId", "tokenHash", "expiresAt")
    SELECT id, ${tokenHash}::text, now() + interval '1 minute' FROM users WHERE "publicId" = ${user}`);

/** Gives an account a connection to GitHub, without GitHub. */
export const giveIntegration = ({ db }: Db, user: string) =>
  db.write(sql`
    INSERT INTO integrations ("userId", provider, "accessToken")
    SELECT id, 'github', 'x' FROM users WHERE "publicId" = ${user}`);

/** Links an account to a provider of sign-in. */
export const giveIdentity = ({ db }: Db, user: string) =>
  db.write(sql`
    INSERT INTO identities ("publicId", "userId", provider, issuer, subject)
    SELECT ${user}, id, 'google', 'https://accounts.google.com', ${user}
    FROM users WHERE "publicId" = ${user}`);

/** Revokes a session between two steps of a call of its own. */
export const revokeSession = ({ db }: Db, session: string) =>
  db.write(sql`UPDATE sessions SET "revokedAt" = now() WHERE "publicId" = ${session}`);

/** The tokens of a connection to another service. */
export type Grant = {
  id: bigint;
  accessToken: string;
  refreshToken: string | null;
  tokenExpiresAt: Date | null;
};

/** Gives a connection its earlier tokens back, as if they had been used elsewhere since. */
export const restoreGrant = ({ db }: Db, { id, ...saved }: Grant) =>
  db.write(sql`
    UPDATE integrations SET "accessToken" = ${saved.accessToken},
      "refreshToken" = ${saved.refreshToken}, "tokenExpiresAt" = ${saved.tokenExpiresAt}::timestamptz
    WHERE id = ${id}`);

/** Invites an address with a code that the test knows; the API sends it by mail only. */
export async function insertInvite(
  { db, deps }: App,
  workspacePublicId: string,
  { memberId, codeHash, ms }: { memberId: bigint; codeHash: string; ms: number },
) {
  const expiresAt = new Date(deps.clock().getTime() + ms);
  await db.write(sql`
    INSERT INTO invites ("publicId", "workspaceId", "codeHash", "roleId", "memberId",
      "createdById", "expiresAt")
    SELECT substr(md5(random()::text), 1, 12), w.id, ${codeHash}::text, m."roleId", m.id,
      w."createdById", ${expiresAt}::timestamptz
    FROM workspaces w JOIN members m ON m."workspaceId" = w.id AND m.id = ${memberId}
    WHERE w."publicId" = ${workspacePublicId}`);
}

/** Gives a webhook an address that the API refuses. */
export const redirectWebhook = ({ db }: Db, webhook: string, url: string) =>
  db.write(sql`UPDATE webhooks SET url = ${url} WHERE "publicId" = ${webhook}`);

/** Gives the webhooks of a path deliveries from now on, without an event of each. */
export const activateWebhooks = ({ db }: Db, url: string) =>
  db.write(sql`UPDATE webhooks SET active = true WHERE url = ${url}`);

/** Takes the deliveries of the webhooks of a path away, and gives them no more. */
export const silenceWebhooks = ({ db }: Db, url: string) =>
  db.write(sql`WITH silent AS (UPDATE webhooks SET active = false WHERE url = ${url} RETURNING id)
    DELETE FROM deliveries WHERE "webhookId" IN (SELECT id FROM silent)`);

/** Adds the sealed code of the service to an authorization, as its callback would. */
export const addCode = ({ db }: Db, resultHash: string, code: string) =>
  db.write(sql`UPDATE oauth_states SET code = ${code} WHERE "resultHash" = ${resultHash}`);

/** Adds members of the role `member`, and boards, faster than the API could. */
export async function insertMembersAndBoards(
  { db }: Db,
  workspacePublicId: string,
  { members, boards }: { members: number; boards: number },
): Promise<void> {
  const email = sql`md5(n || ${workspacePublicId}) || '@example.com'`;
  const newId = sql`substr(md5(n || random()::text), 1, 12)`;
  await db.transact(async (_, query) => {
    await query(allowLongStatements);
    await query(sql`WITH made AS (
        INSERT INTO users ("publicId", email, name)
        SELECT ${newId}, ${email}, 'Someone' FROM generate_series(1, ${members}::int) AS n
        RETURNING id, email)
      INSERT INTO members ("publicId", "workspaceId", "userId", email, status, "roleId")
      SELECT substr(md5(made.id || random()::text), 1, 12), w.id, made.id, made.email, 'active', r.id
      FROM made, workspaces w JOIN roles r ON r."workspaceId" = w.id AND r.name = 'member'
      WHERE w."publicId" = ${workspacePublicId}`);
    await query(sql`INSERT INTO boards ("publicId", "workspaceId", name, slug)
      SELECT ${newId}, w.id, 'Board', 'board-' || n
      FROM workspaces w, generate_series(1, ${boards}::int) AS n
      WHERE w."publicId" = ${workspacePublicId}`);
  });
}
