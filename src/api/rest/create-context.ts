import type { Database } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { resourcePathOf } from "../../contract/vocabulary/oauth.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import { countCalls } from "../../kernel/request/count-calls.ts";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext } from "hono";
import { apiKeyPrefix, readCredential, fingerprint } from "../../kernel/access/credentials.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Failure, invalidToken } from "../../platform/errors.ts";
import { networkOf, networkPrefix } from "../../kernel/request/network.ts";
import { sharedDatabase } from "../../platform/db/shared-database.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { isThroughKan } from "../kan-paths.ts";
import { callLogOf, recordFailure } from "./call-log.ts";
import { errorResponse } from "./error-response.ts";
import type { Context } from "../../kernel/request/context.ts";
import { getOrInsert } from "../../platform/maps.ts";

const requestIds = new WeakMap<Request, string>();

/** The id of a request: the client's `X-Request-Id` if it is valid, otherwise a new id. */
export function requestIdOf(request: Request): string {
  return getOrInsert(requestIds, request, () => {
    const sentId = request.headers.get("x-request-id");
    return sentId !== null && /^[\w.:-]{1,128}$/.test(sentId) ? sentId : publicId();
  });
}

/** The context of a call. A `ticket` is used only without another credential. */
export async function createContext(
  c: HonoContext,
  deps: Deps,
  requestId: string,
  ticket?: string,
): Promise<Context> {
  const { headers } = c.req.raw;
  const authorization = authorizationOf(c.req.raw);
  const ip = clientIp(c, deps.config.TRUST_PROXY);
  return {
    deps,
    credential:
      ticket === undefined || authorization !== null
        ? await readCredential(authorization, deps, resourceOf(c, deps))
        : await readTicket(c, deps, ip, ticket),
    requestMetadata: { ip, requestId },
    logged: callLogOf(c.req.raw),
    client: networkPrefix + networkOf(ip),
    userAgent: headers.get("user-agent")?.slice(0, 500),
    // A GET has no write headers: it writes only when a browser returns from another service.
    ...(c.req.method === "GET" ? noWriteHeaders : writeHeaders(headers)),
    adminKey: headers.get("x-admin-key") ?? undefined,
    uncounted: { bytes: 0 },
    cookies: headers.get("cookie") ?? undefined,
    responseMeta: {},
    authentication: { credentialVerified: false },
  };
}

/** The address of what is called, as the tokens of grants name it. */
const resourceOf = (c: HonoContext, { baseUrl }: Deps) => baseUrl + resourcePathOf(c.req.path);

/** How the body of a call is read: its size counts for the caller. */
export const readingOf = ({ client, deps, uncounted }: Context, limit: number) => ({
  client,
  limit,
  rate: deps.uploads.rate,
  recordSize: (bytes: number) => void (uncounted.bytes = bytes),
});

/** The `Authorization` header; without one, the credential of `X-API-Key`. */
function authorizationOf(request: Request): string | null {
  const authorization = request.headers.get("authorization");
  const apiKey = authorization === null ? request.headers.get("x-api-key") : null;
  const credential = apiKey === null ? authorization : `Bearer ${apiKey}`;
  // Some programs take only keys that begin as Kan's do.
  return isThroughKan(request)
    ? (credential?.replace(kanKey, `$1${apiKeyPrefix}`) ?? null)
    : credential;
}

const kanKey = new RegExp(`^(Bearer +)kan_${apiKeyPrefix}`, "i");

const noWriteHeaders = {
  ifMatch: undefined,
  idempotencyKey: undefined,
};

const writeHeaders = (headers: Headers) => ({
  ifMatch: headers.get("if-match") ?? undefined,
  idempotencyKey: headers.get("idempotency-key") ?? undefined,
});

/** The credential of a ticket. The client pays for a wrong one, so that guesses end. */
async function readTicket(c: HonoContext, deps: Deps, ip: string, ticket: string) {
  const db = sharedDatabase(deps.db, networkPrefix + networkOf(ip));
  const consume = () => consumeTicket(ticket, { ...deps, db }, c.req.method === "HEAD");
  return deps.limits.lookup({ ip }, consume, (credential) => !(credential instanceof Failure));
}

/** The IP of the socket, or the one that the outermost trusted proxy reports. */
export function clientIp(c: HonoContext, hops: number): string {
  const socket =
    c.env === undefined || !("incoming" in c.env)
      ? "local"
      : (getConnInfo(c).remote.address ?? "local");
  if (hops === 0) return socket;
  const addresses = (c.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return addresses.at(-hops) ?? addresses[0] ?? socket;
}

/** Responds with an error to a request without an operation. It counts toward the rate limit. */
export async function rejectRequest(
  c: HonoContext,
  deps: Deps,
  failure: Failure,
): Promise<Response> {
  const requestId = requestIdOf(c.req.raw);
  recordFailure(c.req.raw, failure);
  try {
    const headers = await countCalls(await createContext(c, deps, requestId));
    return errorResponse(failure, requestId, deps, headers);
  } catch (limit) {
    return errorResponse(limit, requestId, deps);
  }
}

/** Consumes a single-use ticket and returns its credential or a 401; a peek does not consume it. */
async function consumeTicket(
  ticket: string,
  { db, clock }: { db: Database; clock: () => Date },
  onlyPeeks: boolean,
): Promise<Credential | Failure> {
  const now = clock();
  const isValid = sql`"ticketHash" = ${fingerprint(ticket)} AND "usedAt" IS NULL
    AND "expiresAt" > ${now}::timestamptz`;
  const [row] = onlyPeeks
    ? await db.read<{ credential: Credential }>(
        sql`SELECT credential FROM stream_tickets WHERE ${isValid}`,
      )
    : await db.write<{ credential: Credential }>(
        sql`UPDATE stream_tickets SET "usedAt" = ${now}::timestamptz
          WHERE ${isValid} RETURNING credential`,
      );
  return (
    row?.credential ??
    invalidToken("ticket_invalid", "The ticket is unknown, has expired or was used before.")
  );
}
