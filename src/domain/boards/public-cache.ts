import type { z } from "zod";
import { hasSlug } from "../../kernel/access/resolve-target.ts";
import { CachedResponses } from "../../kernel/response-cache/cache.ts";
import { positionAfter, type LogPosition } from "../../kernel/events/cursor.ts";
import { endOfLog } from "../../kernel/events/log.ts";
import { workspaceLog } from "../../kernel/events/logs.ts";
import {
  cachedOr,
  confirm,
  serve,
  storeResponse,
} from "../../kernel/procedures/cached-responses.ts";
import {
  authorVersions,
  revalidationRowOf,
  revalidationSql,
} from "../../kernel/procedures/revalidation-sql.ts";
import type { Context } from "../../kernel/request/context.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import { readLarge } from "../../kernel/request/expensive-work.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import type { CardSelection } from "../cards/filters.ts";
import { publicContents, type PublicBoard } from "./public.ts";

/** A public board before its mentions are hidden. */
export type Contents = z.infer<typeof PublicBoard>;

type Input = {
  workspaceSlug: string;
  boardSlug: string;
  due?: CardSelection["due"];
  cardLimit: number;
};
type Call = Pick<Context, "client" | "checkLimit" | "httpBatch" | "responseMeta" | "sendsBytes"> & {
  deps: ReadDeps;
};

/** A public board as it was read, with the position of its snapshot in the log. */
type Read = {
  contents: Contents;
  board: { id: bigint; workspaceId: bigint };
  position: LogPosition;
  /** The cached answers that are current there. */
  cached: CachedResponses | undefined;
  authors: { id: bigint; version: string }[];
};

type BoardRow = Pick<Contents, "name" | "description" | "slug" | "workspaceName"> & {
  id: bigint;
  workspaceId: bigint;
  timeZone: string | null;
  weekStartDay: number;
};

/** The board of the slugs, and the revalidation of its cached answers; 404 if it is not public. */
async function findBoard(query: Query, input: Input, cached: CachedResponses | undefined) {
  const revalidation =
    cached === undefined ? undefined : revalidationSql(cached, sql`board."publicId"`);
  const [row] = await query<BoardRow & Record<string, unknown>>(sql`
    SELECT board.id, board.name, board.description, board.slug,
      workspace.name AS "workspaceName", workspace.id AS "workspaceId",
      workspace."timeZone", workspace."weekStartDay"
      ${revalidation === undefined ? sql.empty : sql`, extra.*`}
    FROM boards board JOIN workspaces workspace ON workspace.id = board."workspaceId"
      AND workspace."deletedAt" IS NULL
    ${revalidation === undefined ? sql.empty : sql`CROSS JOIN LATERAL (${revalidation}) extra`}
    WHERE ${hasSlug(sql`workspace`, input.workspaceSlug)}
      AND ${hasSlug(sql`board`, input.boardSlug)}
      AND board.visibility = 'public' AND board."deletedAt" IS NULL`);
  if (row === undefined) throw notFound("board");
  const { id, workspaceId, timeZone, weekStartDay, ...shownRow } = row;
  const { name, description, slug, workspaceName, ...revalidationColumns } = shownRow;
  return {
    board: { id, workspaceId },
    days: { timeZone: timeZoneFor(null, { timeZone }), weekStartDay },
    fields: { name, description, slug, workspaceName },
    revalidated: revalidation === undefined ? undefined : revalidationRowOf(revalidationColumns),
  };
}

const isTimeless = ({ due }: Input) => due === undefined || due === "none";
const keyOf = ({ workspaceSlug, boardSlug }: Input) =>
  `board.getBySlug ${workspaceSlug.toLowerCase()}/${boardSlug.toLowerCase()}`;
const variantOf = ({ due, cardLimit }: Input, { id }: Read["board"]) =>
  `${id} ${due ?? ""} ${cardLimit}`;

/**
 * The answer from memory, or that of `read`, which stores it.
 *
 * It is in memory unless it changes with time alone.
 */
export function publicResponse(
  ctx: Call,
  input: Input,
  read: () => Promise<{ data: unknown }>,
): Promise<{ data: unknown }> {
  const { responses } = ctx.deps;
  const isCached = responses.isOn && isTimeless(input);
  const id = `${keyOf(input)} ${input.due ?? ""} ${input.cardLimit}`;
  return cachedOr(responses, isCached ? id : undefined, () => findCached(ctx, input), read);
}

/** The answer from memory; undefined when it is not there, or not current. */
async function findCached(ctx: Call, input: Input): Promise<{ data: unknown } | undefined> {
  const { responses, clock, db } = ctx.deps;
  const candidate = responses.get(keyOf(input), clock());
  if (candidate === undefined) return undefined;
  const { board, revalidated } = await findBoard(db.read, input, candidate);
  const cached = confirm(ctx.deps, keyOf(input), candidate, revalidated);
  const response = cached?.responses.get(variantOf(input, board));
  return response && serve(ctx, response, "");
}

/** Reads a public board in one snapshot, in the turn of its client. */
export function readPublic(ctx: Call, input: Input): Promise<Read> {
  const { db, clock, responses } = ctx.deps;
  const now = clock();
  const readContents = () =>
    db.readSnapshot(async (query): Promise<Read> => {
      const candidate = isTimeless(input) ? responses.get(keyOf(input), clock()) : undefined;
      const { board, days, fields, revalidated } = await findBoard(query, input, candidate);
      const selection = { due: input.due, asker: { now, ...days } };
      const [{ contents, authorIds }, position] = await Promise.all([
        publicContents(query, board.id, selection, input.cardLimit),
        revalidated === undefined
          ? endOfLog(query, workspaceLog(board.workspaceId))
          : positionAfter(revalidated),
      ]);
      const authors =
        authorIds.length === 0
          ? []
          : await query<{ id: bigint; version: string }>(authorVersions(authorIds));
      const cached = confirm(ctx.deps, keyOf(input), candidate, revalidated);
      return { contents: { ...fields, ...contents }, board, position, cached, authors };
    });
  return readLarge(ctx, readContents);
}

/** Stores a public board for later callers. */
export function storePublic(ctx: Call, input: Input, publicRead: Read, response: unknown): void {
  const { responses, clock } = ctx.deps;
  if (!responses.isOn || !isTimeless(input)) return;
  responses.counts.misses++;
  const cached =
    publicRead.cached ??
    new CachedResponses(publicRead.board.workspaceId, publicRead.position, clock());
  for (const { id, version } of publicRead.authors) cached.authors.set(id, version);
  const variant = variantOf(input, publicRead.board);
  storeResponse(ctx, keyOf(input), cached, { variant, data: response, cursor: "" });
}
