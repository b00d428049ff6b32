import { idFieldOf, ruleOf } from "../../contract/policy.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { Answer } from "../answers/answer.ts";
import { CachedAnswers } from "../answers/cache.ts";
import type { Authorized } from "../access/authorize.ts";
import { filterOutput, viewPermissionsIn } from "../access/filter-output.ts";
import { cursorsOf } from "../events/cursor.ts";
import { isUnchanged, lastInSnapshot } from "../events/log-sql.ts";
import { stateOf, type SnapshotRow, type SnapshotState } from "../events/log.ts";
import type { Context } from "../request/context.ts";
import type { Deps } from "../request/deps.ts";
import { authorizeCall, versionOf, type CallRequest } from "./authorize-call.ts";
import type { OutputSchema } from "./output-schema.ts";

/** Where the answers to a call are cached, and how this one differs from the others. */
export type AnswerKey = { target: string; boardPublicId: string; input: string };

/** The key of a call; undefined where no answers are cached. */
export function keyOf({ deps }: Context, { name, input }: CallRequest): AnswerKey | undefined {
  if (!deps.answers.isOn) return undefined;
  const rule = ruleOf(name);
  if (rule.on !== "board") throw new Error(`${name} is not about a board.`);
  // `base` made the schema of every input: it is an object.
  const boardPublicId = String((input as Record<string, unknown>)[idFieldOf(rule)]);
  return { target: `${name} ${boardPublicId}`, boardPublicId, input: JSON.stringify(input) };
}

/** The row of a probe. */
export type ProbeRow = SnapshotRow & { isCurrent: boolean };

const columns = ["id", "transactionId", "publicId", "createdAt", "blockedSince"] as const;
const stateColumns = [...columns, "snapshot", "offset"] as const;

/**
 * SQL: the state of the current snapshot, and whether cached answers are current in it.
 *
 * The query is within one that has a `workspace`.
 */
export const probeSql = (cached: CachedAnswers, board: Sql): Sql => sql`SELECT ${sql.join(
  stateColumns.map(
    (name) => sql`state.${sql.identifier(name)} AS ${sql.identifier(`probe.${name}`)}`,
  ),
  sql`, `,
)}, ${isUnchanged(cached, sql`workspace.id`, board)}
    AND ${haveSameAuthors(cached)} AS "probe.isCurrent"
  FROM (${lastInSnapshot(sql`workspace.id`)}) state`;

/** The row of a probe, from the columns of a row that are named `probe.…`. */
export const probeRowOf = (row: Record<string, unknown>): ProbeRow =>
  // The probe selects every column of its row.
  Object.fromEntries(
    [...stateColumns, "isCurrent"].map((name) => [name, row[`probe.${name}`]]),
  ) as ProbeRow;

/** SQL: the versions of users, as one text. */
const versions = (ids: bigint[]) => sql`(SELECT coalesce(
  string_agg(u.id || ':' || u.xmin, ',' ORDER BY u.id), '') FROM users u
  WHERE u.id = ANY(${ids}::bigint[]))`;

function haveSameAuthors({ authors }: CachedAnswers): Sql {
  if (authors.size === 0) return sql`true`;
  const ids = [...authors.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const known = ids.map((id) => `${id}:${authors.get(id)}`).join();
  return sql`${versions(ids)} = ${known}`;
}

/** SQL: the versions of the rows of users. */
export const authorVersions = (ids: bigint[]): Sql =>
  sql`SELECT id, xmin::text AS version FROM users WHERE id = ANY(${ids}::bigint[])`;

/** The cached answers of a key, with the query that says whether they are current. */
export function probeOf({ answers, clock }: Deps, { target, boardPublicId }: AnswerKey) {
  const cached = answers.get(target, clock());
  return cached === undefined
    ? undefined
    : { cached, statement: probeSql(cached, sql`${boardPublicId}::text`) };
}

/** The state that a probe has read; undefined without one. */
export function stateOfProbe({ probe }: Authorized): SnapshotState | undefined {
  // The columns of the probe are those of its row.
  return probe === undefined ? undefined : stateOf(probe as ProbeRow);
}

/** Confirms cached answers by the row of their probe, or drops them. */
export function confirm(
  { answers, clock }: Deps,
  { target }: AnswerKey,
  cached: CachedAnswers | undefined,
  authorized: Authorized,
): CachedAnswers | undefined {
  const state = stateOfProbe(authorized);
  if (cached === undefined || state === undefined) return undefined;
  if (authorized.probe?.["isCurrent"] === true) {
    cached.confirm(state, clock());
    return cached;
  }
  answers.drop(target, cached);
  return undefined;
}

/** The answer to a call from memory; undefined when it is not there, or not current. */
export async function findCached(
  ctx: Context,
  request: CallRequest,
  key: AnswerKey,
  output: OutputSchema,
): Promise<{ data: unknown } | undefined> {
  const { deps } = ctx;
  const probe = probeOf(deps, key);
  if (probe === undefined) return undefined;
  const found = { ...request, probe: probe.statement };
  const authorized = await authorizeCall(deps.db.read, ctx, found);
  const cached = confirm(deps, key, probe.cached, authorized);
  const answer = cached?.answers.get(variantOf(key, authorized, output));
  if (cached === undefined || answer === undefined) return undefined;
  const cursor = cursorOf(deps, cached);
  ctx.responseMeta.version = versionOf(authorized, request.name);
  ctx.responseMeta.feedCursor = cursor;
  const served = answer.with(cursor);
  if (ctx.sendsBytes !== true) return { data: JSON.parse(String(served.bytes)) };
  ctx.responseMeta.answer = served;
  return { data: undefined };
}

/** What a caller sees of an answer, and its cursor; it is cached for others who see the same. */
export function showAndStore(
  ctx: Context,
  key: AnswerKey | undefined,
  read: {
    authorized: Authorized;
    found: object;
    state: SnapshotState;
    cached: CachedAnswers | undefined;
  },
  output: OutputSchema,
): unknown {
  const { deps, responseMeta } = ctx;
  const { authorized, found, state } = read;
  const workspaceId = workspaceOf(authorized);
  const cached = read.cached ?? new CachedAnswers(workspaceId, state, deps.clock());
  const cursor = cursorOf(deps, cached);
  responseMeta.feedCursor = cursor;
  const data = visible(output, { ...found, cursor }, authorized);
  if (key === undefined) return data;
  const answer = new Answer(JSON.stringify(data), cursor);
  deps.answers.store(key.target, cached, variantOf(key, authorized, output), answer);
  if (ctx.sendsBytes === true) responseMeta.answer = answer.with(cursor);
  return data;
}

/** The id of the workspace of a call's target. */
export function workspaceOf({ resources }: Authorized): bigint {
  const id = resources["workspace"]?.["id"];
  if (typeof id !== "bigint") throw new Error("A snapshot is of a workspace.");
  return id;
}

function cursorOf({ seal, config, clock }: Deps, cached: CachedAnswers): string {
  const cursors = cursorsOf(seal, cached.workspaceId, config.EVENT_DAYS);
  return cached.cursor((position, at) => cursors.write(position, at), clock());
}

function visible({ schema }: OutputSchema, data: object, { membership }: Authorized): unknown {
  return schema === undefined || membership === null
    ? data
    : filterOutput(schema, data, membership.may);
}

/** Callers share an answer when they ask for the same and may view the same parts of it. */
function variantOf(
  { input }: AnswerKey,
  { membership }: Authorized,
  { schema }: OutputSchema,
): string {
  if (schema === undefined || membership === null) throw new Error("The answer has no schema.");
  const held = [...viewPermissionsIn(schema)].filter((view) => membership.may.has(view));
  return `${held.join()} ${input}`;
}
