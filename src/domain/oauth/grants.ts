import { randomBytes } from "node:crypto";
import { scopeText } from "../../contract/vocabulary/oauth.ts";
import { isActiveAccount } from "../../kernel/access/active-account.ts";
import { isActiveGrant } from "../../kernel/access/callers.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { grantTokenSeconds } from "../../platform/crypto/grant-tokens.ts";
import { refreshTokenPrefix } from "../../platform/crypto/tokens.ts";
import { badRequest, unauthorized } from "../../platform/errors.ts";
import { findApp } from "./apps.ts";
import { resourcePath } from "./request.ts";

/** How long a grant lives after its last refresh, in ms. */
const grantMs = 30 * 24 * 60 * 60 * 1000;

/** A valid grant, locked, with its app and its user. */
export type Grant = {
  keyId: bigint;
  /** The public ids of the grant and its user. */
  grant: string;
  user: string;
  readOnly: boolean;
  resource: string;
  endsAt: Date | null;
  clientId: string;
};

/** SQL: a row of a table with the hash of a secret, and its valid grant, both locked. */
export const grantOf = (
  table: "app_codes" | "app_refresh_tokens" | "device_codes",
  hash: Sql,
  columns: Sql,
  now: Date,
) =>
  sql`SELECT ${columns}, k.id AS "keyId", k."publicId" AS "grant", k."readOnly", k.resource,
      k."endsAt", a."clientId", u."publicId" AS "user"
    FROM ${sql.identifier(table)} t
    JOIN api_keys k ON k.id = t."keyId" AND ${isActiveGrant(now)}
    JOIN apps a ON a.id = k."appId"
    JOIN users u ON u.id = k."userId" AND ${isActiveAccount}
    WHERE ${hash} FOR NO KEY UPDATE OF k, t`;

/**
 * What a step of the token endpoint answers: the grant with its refresh token, which is undefined if the
 * step has ended the grant; or why there is no token yet.
 */
export type Issued =
  | { grant: Grant; refreshToken: string | undefined }
  | {
      code: "authorization_pending" | "slow_down" | "access_denied" | "expired_token";
      message: string;
    };

/** Stores the first refresh token of a grant. */
export async function firstToken(tx: UnitOfWork, grant: Grant) {
  const refreshToken = `${refreshTokenPrefix}${randomBytes(32).toString("base64url")}`;
  const { keyId } = grant;
  await tx.prisma.appRefreshToken.create({
    data: { keyId, tokenHash: fingerprint(refreshToken), createdAt: tx.now },
  });
  await prolong(tx, grant);
  return { grant, refreshToken };
}

/** Keeps a grant for 30 days more, and not longer than its person wants. */
export async function prolong({ prisma, now }: UnitOfWork, { keyId, endsAt }: Grant) {
  const latest = new Date(now.getTime() + grantMs);
  const expiresAt = endsAt !== null && endsAt < latest ? endsAt : latest;
  await prisma.apiKey.update({ where: { id: keyId }, data: { expiresAt } });
}

/** Ends a grant: its tokens stop working at once. */
export async function endGrant({ prisma, now }: UnitOfWork, { keyId }: Pick<Grant, "keyId">) {
  await prisma.apiKey.update({ where: { id: keyId }, data: { revokedAt: now } });
}

/** 400: what the app sent gives no tokens. */
export const invalidGrant = (message: string) => badRequest("invalid_grant", message);

/** 401 for an app that the service does not know, so that it registers again. */
export async function requireApp(
  { query }: Pick<UnitOfWork, "query">,
  clientId: string,
): Promise<void> {
  if ((await findApp(query, clientId)) !== undefined) return;
  throw unauthorized("invalid_client", "The app is unknown. It must register again.");
}

/** Refuses a resource that is not the one of the grant. */
export function checkResource(
  { deps: { baseUrl } }: Context,
  resource: string | undefined,
  grant: Pick<Grant, "resource">,
): void {
  if (resource === undefined) return;
  const path = resourcePath(resource, baseUrl);
  if (path !== undefined && baseUrl + path === grant.resource) return;
  throw badRequest("invalid_target", `The app was granted ${grant.resource}.`, ["resource"]);
}

/** The tokens of a grant, as they are answered. */
export async function grantTokens({ deps }: Context, grant: Grant, refreshToken: string) {
  const scope = scopeText(grant.readOnly);
  const accessToken = await deps.grantTokens.issue({ ...grant, scope }, deps.clock());
  return {
    accessToken,
    tokenType: "Bearer" as const,
    expiresIn: grantTokenSeconds,
    refreshToken,
    scope,
  };
}
