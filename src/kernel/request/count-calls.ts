import { LRUCache } from "lru-cache";
import { authenticatesCaller, ruleOf, type Operation } from "../../contract/policy.ts";
import { Failure } from "../../platform/errors.ts";
import type { Credential } from "../access/credential.ts";
import { sharedDatabase } from "../../platform/db/shared-database.ts";
import { findCaller } from "../access/find-caller.ts";
import type { Context } from "./context.ts";
import type { Deps } from "./deps.ts";
import type { LimitHeaders } from "./limiter.ts";
import { getOrInsert } from "../../platform/maps.ts";

const rememberedMs = 5 * 60_000;
const maxRemembered = 10_000;

/**
 * Counts calls for their credential and its user, or for their client address, and shares the
 * database by it.
 *
 * A credential counts for itself only when the database has confirmed it: otherwise a random key
 * in each call would never meet a limit. Over the limit the database is not asked. `headers` gets
 * what is left of the limit, also when a call counts more of it later.
 */
export async function countCalls(
  ctx: Context,
  calls: Call[] = [undefined],
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { credential, deps, requestMetadata } = ctx;
  const withHeaders = async (counted: Promise<LimitHeaders | undefined>) =>
    Object.assign(headers, await counted);
  const { limits } = deps;
  const { ip } = requestMetadata;
  const shared = credential instanceof Failure ? undefined : await confirmed(ctx, credential);
  if (credential instanceof Failure || shared === undefined) {
    ctx.deps = withShare(deps, ctx.client);
    ctx.chargeBytes = (bytes) => limits.chargeBytes({ ip }, bytes);
    ctx.chargeEvents = (events) => limits.chargeEvents({ ip }, events);
    ctx.chargeCalls = (added) => withHeaders(limits.chargeCalls({ ip }, added));
    ctx.countMore = (added) => withHeaders(limits.client(ip, added));
    ctx.checkLimit = () => withHeaders(limits.client(ip, 0));
    ctx.prove = async (count) => {
      await count();
      await limits.authenticated(ip);
    };
    return withHeaders(countForNetwork(ctx, calls));
  }
  ctx.deps = shared.deps;
  ctx.client = shared.client;
  ctx.userId = shared.userId;
  ctx.logged.user = shared.publicId;
  const payer = { credential: credential.user ?? credential.id, user: shared.client };
  ctx.chargeBytes = (bytes) => limits.chargeBytes(payer, bytes);
  ctx.chargeEvents = (events) => limits.chargeEvents(payer, events);
  ctx.chargeCalls = (added) => withHeaders(limits.chargeCalls(payer, added));
  ctx.countMore = (added) => withHeaders(limits.credential(payer, added));
  ctx.checkLimit = () => withHeaders(limits.credential(payer, 0));
  return withHeaders(limits.credential(payer, Math.max(1, calls.length)));
}

/**
 * What a call takes from the counted request that makes it: who pays, and what for.
 *
 * A request is refused before its work, or not at all: half of an answer costs as much as all of
 * it. So the calls that it makes are charged, and never refused for the limit.
 */
export const partOf = ({
  deps,
  client,
  userId,
  logged,
  chargeBytes,
  chargeEvents,
  chargeCalls,
  countMore,
  prove,
}: Context): Partial<Context> => ({
  deps,
  client,
  userId,
  logged,
  chargeBytes,
  chargeEvents,
  chargeCalls,
  countMore,
  prove,
  checkLimit: undefined,
});

/** The name of a user as a caller. */
export const userClient = (publicId: string) => `user ${publicId}`;

/** A call of a request; undefined for one without an operation. */
type Call = Operation | undefined;

/** Counts calls that may prove their caller apart: others must not delay them. */
async function countForNetwork(
  { deps: { limits }, requestMetadata: { ip } }: Context,
  calls: Call[],
): Promise<LimitHeaders> {
  const authenticating = calls.filter(
    (name) => name !== undefined && authenticatesCaller(ruleOf(name)),
  ).length;
  const otherCalls = calls.length - authenticating;
  const headers = authenticating > 0 ? await limits.unauthenticated(ip, authenticating) : undefined;
  if (headers !== undefined && otherCalls === 0) return headers;
  return limits.client(ip, Math.max(1, otherCalls));
}

/** The dependencies with the database as a caller shares it. */
const withShare = (
  deps: Deps,
  caller: string,
  recordBytes?: (bytes: number) => Promise<unknown>,
): Deps => ({
  ...deps,
  db: sharedDatabase(deps.db, caller, recordBytes),
});

/** A user, and the dependencies as the user shares them, which are made once, not in each call. */
type Shared = { client: string; publicId: string; userId: bigint; deps: Deps };
type ConfirmRequest = { ctx: Context; credential: Credential };
type Confirmations = LRUCache<string, Shared, ConfirmRequest>;

const confirmations = new WeakMap<Deps, Confirmations>();

const noConfirmations = (): Confirmations =>
  new LRUCache({
    max: maxRemembered,
    ttl: rememberedMs,
    ignoreFetchAbort: true,
    fetchMethod: (_, earlier, { context }) => confirm(context, earlier !== undefined),
  });

/** The user of a credential; undefined for an invalid one. */
function confirmed(ctx: Context, credential: Credential): Promise<Shared | undefined> {
  const users = getOrInsert(confirmations, ctx.deps, noConfirmations);
  return users.fetch(`${credential.kind}:${credential.id}`, { context: { ctx, credential } });
}

/**
 * Asks the database for a credential. The client pays for a wrong one, so that guesses end.
 *
 * A signed token, and a key that was confirmed before, are not guesses: others in the network of
 * the client cannot delay them.
 */
async function confirm({ ctx, credential }: ConfirmRequest, wasConfirmed: boolean) {
  const { deps, requestMetadata } = ctx;
  const db = sharedDatabase(deps.db, ctx.client);
  const isProven = credential.kind !== "apiKey" || wasConfirmed;
  const claimant = isProven ? { credential: credential.id } : { ip: requestMetadata.ip };
  const find = () => findCaller(db.read, credential, deps.clock());
  const caller = await deps.limits.lookup(claimant, find, (user) => user !== null);
  if (caller === null) return undefined;
  const { publicId, userId } = caller;
  const client = userClient(publicId);
  const recordBytes = (bytes: number) => deps.limits.stored(userId, bytes);
  return { client, publicId, userId, deps: withShare(deps, client, recordBytes) };
}
