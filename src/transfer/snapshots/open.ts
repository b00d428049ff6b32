import type { Credential } from "../../kernel/access/credential.ts";
import { membershipsIn } from "../../kernel/access/memberships.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { cursorsOf } from "../../kernel/events/cursor.ts";
import { endOfLog } from "../../kernel/events/log.ts";
import { workspaceLog } from "../../kernel/events/logs.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { contentsOf, type Parts, type SnapshotSource } from "./contents.ts";
import { Lines } from "./lines.ts";
import * as statements from "./statements.ts";

/** Who reads a snapshot. */
type SnapshotReader = { credential: Credential; workspaceId: bigint; deps: ReadDeps };

/** What is read, as in the input. */
type Selection = { boardPublicIds?: string[] | undefined; archived: boolean; parts: Parts };

/**
 * Authorizes the reader in the snapshot, and returns its lines.
 *
 * Throws before the first line: 401, 403, and 404 for a board that the reader cannot see.
 */
export async function openSnapshot(
  query: Query,
  { credential, workspaceId, deps }: SnapshotReader,
  { boardPublicIds, archived, parts }: Selection,
): Promise<AsyncIterable<string>> {
  const now = deps.clock();
  const position = await endOfLog(query, workspaceLog(workspaceId));
  const cursors = cursorsOf(deps.seal, workspaceLog(workspaceId), deps.config.EVENT_DAYS);
  const operation = "workspace.snapshot";
  const membershipOf = await membershipsIn(query, workspaceId, operation, [credential], deps);
  const reader = membershipOf(credential);
  if (reader instanceof Failure) throw reader;
  const [workspace] = await query<Workspace>(sql`SELECT * FROM workspaces
    WHERE id = ${workspaceId} AND "deletedAt" IS NULL`);
  if (workspace === undefined) throw notFound("workspace");
  const { may } = reader.membership;
  const publicIds = boardPublicIds === undefined ? null : [...new Set(boardPublicIds)];
  const boards = { workspaceId, viewer: viewerOf(reader), publicIds, archived };
  await checkBoards(query, boards);
  const showEmails = workspace.showEmailsToMembers || may.has("member:edit");
  const source = { workspace, boards, parts, showEmails, api: `${deps.baseUrl}/api/v1` };
  return complete(query, source, new Lines(may), cursors.write(position, now));
}

/** 404 when a board was selected that the viewer cannot see. */
export async function checkBoards(query: Query, boards: statements.BoardSelection): Promise<void> {
  if (boards.publicIds === null) return;
  const count = new Set(boards.publicIds).size;
  const rows = await query(statements.boards(boards, 0n, count));
  if (rows.length < count) throw notFound("board");
}

async function* complete(query: Query, source: SnapshotSource, lines: Lines, cursor: string) {
  yield* contentsOf(query, source, lines);
  yield lines.end(cursor);
}
