import { randomBytes } from "node:crypto";
import type { Credential } from "../../kernel/access/credential.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { callerWith } from "../../kernel/access/callers.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { GitHubApp } from "./github/response.ts";
import { badRequest, failure } from "../../platform/errors.ts";
import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { sql } from "../../platform/db/sql.ts";

/** How long an authorization that was started may take, in milliseconds. */
export const stateMs = 10 * 60 * 1000;

/** A new state for an authorization; only its fingerprint is stored. */
export const newState = () => randomBytes(32).toString("base64url");

/** What the start of an authorization, a code and the tokens of a connection are sealed for. */
export const sealedFor = {
  start: "oauth start",
  code: "oauth code",
  access: (userId: bigint) => `github access token of ${userId}`,
  refresh: (userId: bigint) => `github refresh token of ${userId}`,
};

/** An authorization that was started. */
export type Started = {
  id: bigint;
  provider: string;
  userId: bigint;
  sessionId: bigint | null;
  codeVerifier: string;
  returnUrl: string | null;
  nonceHash: string | null;
};

const startedColumns = sql`id, provider, "userId", "sessionId", "codeVerifier", "returnUrl",
  "nonceHash"`;

/** The PKCE verifier of an authorization, and the credential of the call that started it. */
type Start = { verifier: string; credential: Pick<Credential, "kind" | "id"> };

/** Seals the start of an authorization. */
export const sealStart = (seal: Seal, { verifier, credential: { kind, id } }: Start) =>
  seal.seal(sealedFor.start, JSON.stringify({ verifier, credential: { kind, id } }));

/** Opens the start of an authorization; 400 for one of an earlier version. */
export function openStart(seal: Seal, authorization: Started): Start {
  try {
    return JSON.parse(seal.open(sealedFor.start, authorization.codeVerifier));
  } catch (error) {
    if (error instanceof Unsealable) throw authorizationUnknown(fieldOf(authorization));
    throw error;
  }
}

/** The input that finishes an authorization. */
const fieldOf = ({ returnUrl }: Started) => (returnUrl === null ? "state" : "result");

/** 400: the authorization that an input names cannot be finished. */
export const authorizationUnknown = (field: "state" | "result") =>
  badRequest(
    "authorization_unknown",
    "The authorization is unknown, was used before, has expired after ten minutes, or was " +
      "started by a credential that is no longer valid. Start it again.",
    [field],
  );

/**
 * Ends an authorization; 400 when the credential that started it has ended meanwhile.
 *
 * The revocation of all credentials of an account deletes its authorizations, and then its
 * connections: it waits for the connection that is being made, or this finds no authorization.
 */
export async function endAuthorization(
  query: Query,
  authorization: Started,
  { credential }: Start,
  now: Date,
): Promise<void> {
  const deleted = await query(sql`DELETE FROM oauth_states WHERE id = ${authorization.id}
    AND EXISTS (${callerWith(credential, now)}) RETURNING 1`);
  if (deleted.length === 0) throw authorizationUnknown(fieldOf(authorization));
}

/** Consumes the state of an authorization; undefined for an unknown, expired or used one. */
export async function takeState(query: Query, state: string, provider: string, now: Date) {
  const [authorization] = await query<Started>(
    sql`UPDATE oauth_states SET "usedAt" = ${now}::timestamptz
      WHERE "stateHash" = ${fingerprint(state)} AND provider = ${provider}
        AND "usedAt" IS NULL AND "expiresAt" > ${now}::timestamptz
      RETURNING ${startedColumns}`,
  );
  return authorization;
}

/** Stores the sealed code of an authorization; returns the one-time result that releases it. */
export async function saveResult(
  { query, now }: { query: Query; now: Date },
  seal: Seal,
  id: bigint,
  code: string,
): Promise<string> {
  const result = newState();
  const expiresAt = new Date(now.getTime() + stateMs);
  await query(
    sql`UPDATE oauth_states SET "resultHash" = ${fingerprint(result)},
        code = ${seal.seal(sealedFor.code, code)}, "expiresAt" = ${expiresAt}::timestamptz
      WHERE id = ${id}`,
  );
  return result;
}

/** Consumes the result of an authorization; undefined for an unknown, expired or used one. */
export async function takeResult(query: Query, result: string, now: Date) {
  const [authorization] = await query<Started & { code: string }>(
    sql`UPDATE oauth_states SET "resultHash" = NULL
      WHERE "resultHash" = ${fingerprint(result)} AND "expiresAt" > ${now}::timestamptz
      RETURNING ${startedColumns}, code`,
  );
  return authorization;
}

/** 404: the operator has not configured a provider. */
export const notConfigured = (provider: string) =>
  failure(
    "provider_not_configured",
    `The operator of this service has not configured the connection to ${provider}.`,
  );

/** Our registration at GitHub; 404 when the operator has not configured one. */
export function githubApp({ config }: Pick<Deps, "config">): GitHubApp {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_URL, GITHUB_API_URL } = config;
  if (GITHUB_CLIENT_ID === undefined || GITHUB_CLIENT_SECRET === undefined) {
    throw notConfigured("GitHub");
  }
  return {
    url: GITHUB_URL,
    apiUrl: GITHUB_API_URL,
    clientId: GITHUB_CLIENT_ID,
    clientSecret: GITHUB_CLIENT_SECRET,
  };
}

/** Where a provider sends the user back to. */
export const callbackUrl = ({ baseUrl }: Pick<Deps, "baseUrl">, provider: string) =>
  `${baseUrl}/api/v1/integration/callback/${provider}`;
