import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { RateLimits } from "../../kernel/request/rate-limits.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { refusalIn } from "../../platform/errors.ts";
import { declareResponses } from "../../platform/http/response-shapes.ts";
import { readResponse } from "../../platform/http/responses.ts";
import { createThirdPartyClient } from "../../platform/http/third-party.ts";
import { getOrInsert } from "../../platform/maps.ts";
import { AppName } from "../../contract/resources/oauth.ts";
import { isDocument } from "../presenters/apps.ts";
import { findApp, type App } from "./apps.ts";
import { isRedirectUri, maxUriLength } from "./redirect-uris.ts";

const service = "The document of the app";
const limits = { requestMs: 2_500, totalMs: 2_500, bytes: 16 * 1024 };
/** How long a document is not read again, in ms. */
const freshMs = 10 * 60_000;
/** How long a document that could not be read is not asked for again, in ms. */
const refusedMs = 30_000;
const maxRemembered = 1_000;
/** A document that is read counts as so many calls of the person who is asked. */
const calls = 5;

/** The document of an app (client ID metadata document). It has no secret that we would have to keep. */
export const Document = z.looseObject({
  client_id: z.string(),
  client_name: AppName.optional(),
  redirect_uris: z.array(z.string().max(maxUriLength)).min(1).max(20),
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.enum(["none", "private_key_jwt"]).optional(),
});
declareResponses(import.meta.url, { Document });

/** The documents that are being read, or could not be read a moment ago. */
const readings = new WeakMap<RateLimits, LRUCache<string, Promise<boolean>>>();

const noReadings = () =>
  new LRUCache<string, Promise<boolean>>({ max: maxRemembered, ttl: refusedMs });

/**
 * The app with an id; undefined for an unknown one. The document of an app that has one is read first,
 * through the address guard: never call this in a transaction.
 */
export async function findOrFetchApp(
  ctx: Pick<Context, "deps" | "chargeCalls">,
  clientId: string,
): Promise<App | undefined> {
  const { deps } = ctx;
  const app = await findApp(deps.db.read, clientId);
  if (!isDocument(clientId)) return app;
  if (app?.freshUntil && app.freshUntil > deps.clock()) return app;
  if (!mayBeDocument(clientId, deps)) return undefined;
  const known = getOrInsert(readings, deps.limits, noReadings);
  const earlier = known.get(clientId);
  const reading = earlier ?? readDocument(deps, clientId);
  if (earlier === undefined) known.set(clientId, reading);
  const forget = () => known.delete(clientId);
  const charged = earlier === undefined ? ctx.chargeCalls?.(calls) : undefined;
  const [isRead] = await Promise.all([reading, charged]).catch((error: unknown) => {
    forget();
    throw error;
  });
  if (!isRead) return undefined;
  forget();
  return findApp(deps.db.read, clientId);
}

/** Whether an address may be that of a document: https, as a browser would write it, with a path. */
function mayBeDocument(clientId: string, { config, outgoing }: Deps): boolean {
  if (clientId.length > maxUriLength || !URL.canParse(clientId)) return false;
  const { protocol, hostname, href, username, password, hash, pathname } = new URL(clientId);
  const allowsHttp = config.NODE_ENV !== "production" && outgoing.policy.allowHttp;
  if (protocol !== "https:" && !allowsHttp) return false;
  if (href !== clientId || hash !== "" || clientId.includes("#")) return false;
  if (username !== "" || password !== "" || pathname === "/") return false;
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 && hostname.includes(".");
}

/** Reads a document and stores its app; false if it is none. */
async function readDocument(deps: Deps, clientId: string): Promise<boolean> {
  try {
    const send = createThirdPartyClient(service, limits, deps.outgoing);
    const { status, headers, chunks } = await send(clientId, {
      headers: { Accept: "application/json", "Accept-Encoding": "identity" },
    });
    const type = headers.get("content-type") ?? "";
    if (status !== 200 || !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return false;
    const size = { objects: 1_000, values: 5_000 };
    const document = await readResponse({ service, chunks }, Document, { size });
    if (document.client_id !== clientId) return false;
    if (!document.redirect_uris.every(isRedirectUri)) return false;
    await store(deps, clientId, document);
    return true;
  } catch (error) {
    if (refusalIn(error) === undefined && !isOfDocument(error)) throw error;
    deps.log.info({ clientId, err: error }, "the document of an app could not be read");
    return false;
  }
}

/** Whether an error is of the document's host: 502. */
const isOfDocument = (error: unknown) =>
  typeof error === "object" &&
  error !== null &&
  "failure" in error &&
  error.failure === "BAD_GATEWAY";

async function store(deps: Deps, clientId: string, document: z.infer<typeof Document>) {
  const freshUntil = new Date(deps.clock().getTime() + freshMs);
  const name = document.client_name ?? new URL(clientId).host;
  await deps.db.write(sql`INSERT INTO apps ("publicId", "clientId", name, "redirectUris",
      "freshUntil", "createdAt")
    VALUES (${publicId()}, ${clientId}, ${name}, ${document.redirect_uris}::text[],
      ${freshUntil}::timestamptz, ${deps.clock()}::timestamptz)
    ON CONFLICT ("clientId") DO UPDATE SET name = excluded.name,
      "redirectUris" = excluded."redirectUris", "freshUntil" = excluded."freshUntil"`);
}
