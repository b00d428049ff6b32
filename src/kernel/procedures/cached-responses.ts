import { idFieldOf, ruleOf } from "../../contract/policy.ts";
import { sql } from "../../platform/db/sql.ts";
import { CachedResponse, valueOf } from "../response-cache/cached-response.ts";
import { CachedResponses, type ResponseCache } from "../response-cache/cache.ts";
import { authorize, type Authorized } from "../access/authorize.ts";
import { requireCredential } from "../access/credentials.ts";
import { viewPermissionsIn } from "../access/filter-output.ts";
import { cursorsOf, positionAfter, type LogPosition } from "../events/cursor.ts";
import { workspaceLog } from "../events/logs.ts";
import type { Context } from "../request/context.ts";
import type { Deps } from "../request/deps.ts";
import { recordAuthorized, versionOf, type CallRequest } from "../invocation/authorize-call.ts";
import { visibleOutput, type OutputSchema } from "../invocation/output-schema.ts";
import { revalidationSql, type RevalidationRow } from "./revalidation-sql.ts";

/** The cache key of a call: its target, and its input. */
export type ResponseKey = { target: string; boardPublicId: string; input: string };

/** The key of a call; undefined where no answers are cached. */
export function responseKeyOf(
  { deps }: Context,
  { name, input }: CallRequest,
): ResponseKey | undefined {
  if (!deps.responses.isOn) return undefined;
  const rule = ruleOf(name);
  if (rule.on !== "board") throw new Error(`${name} is not about a board.`);
  const boardPublicId = String(input[idFieldOf(rule)]);
  return { target: `${name} ${boardPublicId}`, boardPublicId, input: JSON.stringify(input) };
}

/** The cached answers of a key, with the query that says whether they are current. */
export function revalidationOf({ responses, clock }: Deps, { target, boardPublicId }: ResponseKey) {
  const cached = responses.get(target, clock());
  return cached === undefined
    ? undefined
    : { cached, statement: revalidationSql(cached, sql`${boardPublicId}::text`) };
}

/** The row of the revalidation that a call was authorized with, if it had one. */
export const revalidatedBy = ({ extra }: Authorized): RevalidationRow | undefined =>
  // The columns of the revalidation are those of its row.
  extra as RevalidationRow | undefined;

/** Confirms cached answers by the row of their revalidation, or drops them. */
export function confirm(
  { responses, clock }: Pick<Deps, "responses" | "clock">,
  target: string,
  cached: CachedResponses | undefined,
  row: RevalidationRow | undefined,
): CachedResponses | undefined {
  if (cached === undefined || row === undefined) return undefined;
  if (row.isCurrent) {
    cached.confirm(positionAfter(row), clock());
    return cached;
  }
  responses.drop(target, cached);
  return undefined;
}

type ResponseContext = Pick<Context, "httpBatch" | "responseMeta" | "sendsBytes"> & {
  deps: Pick<Deps, "responses">;
};

/**
 * The answer from memory, or that of `read`, which stores it.
 *
 * Of simultaneous calls with an `id` and without an answer in memory one reads, the others wait.
 */
export async function cachedOr<Answer>(
  responses: ResponseCache,
  id: string | undefined,
  find: () => Promise<Answer | undefined>,
  read: () => Promise<Answer>,
): Promise<Answer> {
  if (id === undefined) return read();
  return (await find()) ?? responses.reads.once(id, find, read);
}

/** Answers a call from memory. */
export function serve(
  ctx: ResponseContext,
  response: CachedResponse,
  cursor: string,
): { data: unknown } {
  ctx.deps.responses.counts.hits++;
  const served = response.with(cursor);
  if (ctx.sendsBytes !== true) return { data: valueOf(ctx, served) };
  ctx.responseMeta.response = served;
  return { data: undefined };
}

/** Stores an answer for later callers. */
export function storeResponse(
  ctx: ResponseContext,
  target: string,
  cached: CachedResponses,
  { variant, data, cursor }: { variant: string; data: unknown; cursor: string },
): void {
  const response = new CachedResponse(JSON.stringify(data), cursor);
  ctx.deps.responses.store(target, cached, variant, response);
  if (ctx.sendsBytes === true) ctx.responseMeta.response = response.with(cursor);
}

/** The answer to a call from memory; undefined when it is not there, or not current. */
export async function findCached(
  ctx: Context,
  request: CallRequest,
  key: ResponseKey,
  output: OutputSchema,
): Promise<{ data: unknown } | undefined> {
  const { deps } = ctx;
  if (deps.responses.get(key.target, deps.clock()) === undefined) return undefined;
  const { kind, id } = requireCredential(ctx);
  // The same caller is authorized for the same board by the same statement.
  const { authorized, cached } = await deps.responses.revalidations.join(
    `${kind} ${id} ${key.target}`,
    () => revalidate(ctx, request, key),
  );
  recordAuthorized(ctx, authorized);
  const response = cached?.responses.get(variantOf(key, authorized, output));
  if (cached === undefined || response === undefined) return undefined;
  const cursor = cursorOf(deps, cached);
  ctx.responseMeta.version = versionOf(authorized, request.name);
  ctx.responseMeta.feedCursor = cursor;
  return serve(ctx, response, cursor);
}

/** Authorizes a call with the revalidation of the cached answers, and confirms them. */
async function revalidate({ deps, credential }: Context, request: CallRequest, key: ResponseKey) {
  const revalidation = revalidationOf(deps, key);
  const callRequest = { ...request, extra: revalidation?.statement };
  const authorized = await authorize(deps.db.read, { deps, credential }, callRequest);
  const row = revalidatedBy(authorized);
  return { authorized, cached: confirm(deps, key.target, revalidation?.cached, row) };
}

/** Filters an answer for its caller, adds the cursor, and caches it for others who see the same. */
export function showAndStore(
  ctx: Context,
  key: ResponseKey | undefined,
  read: {
    authorized: Authorized;
    result: object;
    position: LogPosition;
    cached: CachedResponses | undefined;
  },
  output: OutputSchema,
): unknown {
  const { deps, responseMeta } = ctx;
  const { authorized, result, position } = read;
  const workspaceId = workspaceIdOf(authorized);
  const cached = read.cached ?? new CachedResponses(workspaceId, position, deps.clock());
  const cursor = cursorOf(deps, cached);
  responseMeta.feedCursor = cursor;
  const data = visibleOutput({ ...result, cursor }, output, authorized.membership);
  if (key === undefined) return data;
  const variant = variantOf(key, authorized, output);
  storeResponse(ctx, key.target, cached, { variant, data, cursor });
  return data;
}

/** The id of the workspace of a call's target. */
export function workspaceIdOf({ resources }: Authorized): bigint {
  const id = resources["workspace"]?.["id"];
  if (typeof id !== "bigint") throw new Error("A snapshot is of a workspace.");
  return id;
}

function cursorOf({ seal, config, clock }: Deps, cached: CachedResponses): string {
  const cursors = cursorsOf(seal, workspaceLog(cached.workspaceId), config.EVENT_DAYS);
  return cached.cursor((position, at) => cursors.write(position, at), clock());
}

/** The variant of an answer: callers share it if input and view permissions are the same. */
function variantOf(
  { input }: ResponseKey,
  { membership }: Authorized,
  { schema }: OutputSchema,
): string {
  if (schema === undefined || membership === null) throw new Error("The answer has no schema.");
  const views = [...viewPermissionsIn(schema)].filter((view) => membership.may.has(view));
  return `${views.join()} ${input}`;
}
