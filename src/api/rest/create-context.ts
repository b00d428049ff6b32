import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context as HonoContext } from "hono";
import { readCredential } from "../../kernel/access/credentials.ts";
import { consumeTicket } from "../../kernel/access/consume-ticket.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Failure } from "../../platform/errors.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { answerFailure } from "./answer.ts";
import type { Context } from "../../kernel/request/context.ts";

const requestIds = new WeakMap<Request, string>();

/** The request's id: the client's own when it is sane, else a new one; the same however often it is asked for. */
export function requestIdOf(request: Request): string {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get("x-request-id");
  const id = given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : publicId();
  requestIds.set(request, id);
  return id;
}

/** What a call comes with: who, from where, and under which conditions. A `ticket` counts only where there is no credential. */
export async function createContext(
  c: HonoContext,
  deps: Deps,
  requestId: string,
  ticket?: string,
): Promise<Context> {
  const { headers } = c.req.raw;
  const authorization = headers.get("authorization");
  return {
    deps,
    credential:
      ticket === undefined || authorization !== null
        ? await readCredential(authorization, deps)
        : await consumeTicket(ticket, deps, c.req.method === "HEAD"),
    requestMetadata: { ip: clientAddress(c, deps.config.TRUST_PROXY), requestId },
    userAgent: headers.get("user-agent")?.slice(0, 500),
    ifMatch: headers.get("if-match") ?? undefined,
    idempotencyKey: headers.get("idempotency-key") ?? undefined,
    adminKey: headers.get("x-admin-key") ?? undefined,
    responseMeta: {},
    authentication: { credentialVerified: false },
  };
}

/** Counts the call; answers the headers that say so. */
export const count = ({ deps, credential, requestMetadata }: Context, calls = 1) =>
  deps.limits.calls(
    {
      credential: credential instanceof Failure ? undefined : (credential.user ?? credential.id),
      ip: requestMetadata.ip,
    },
    calls,
  );

/** The socket's address, or the one that the outermost of the trusted proxies saw. */
export function clientAddress(c: HonoContext, hops: number): string {
  const socket =
    c.env === undefined || !("incoming" in c.env)
      ? "local"
      : (getConnInfo(c).remote.address ?? "local");
  if (hops === 0) return socket;
  const seen = (c.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return seen.at(-hops) ?? seen[0] ?? socket;
}

/** Refuses what no operation is asked for; it counts all the same. */
export async function refuse(c: HonoContext, deps: Deps, failure: Failure): Promise<Response> {
  const requestId = requestIdOf(c.req.raw);
  try {
    const headers = await count(await createContext(c, deps, requestId));
    return answerFailure(failure, requestId, deps, headers);
  } catch (limit) {
    return answerFailure(limit, requestId, deps);
  }
}
