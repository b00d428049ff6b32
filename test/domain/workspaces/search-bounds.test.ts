import { expect, test } from "vitest";
import { asked } from "../../../src/domain/workspaces/search-asked.ts";
import { SearchType } from "../../../src/domain/workspaces/search-matches.ts";
import { searchStatement } from "../../../src/domain/workspaces/search-statement.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { fillBoards } from "./fill-boards.ts";

const app = useApp({ isolated: true });
const boards = 150;
/** The most words of a query that count. */
const most = 12;
/** A query has at most 200 characters: 50 words of three. */
const words = Array.from({ length: 50 }, (_, nth) => `${"abcde"[nth % 5]}${nth + 10}`);
const phrase = (count: number) => words.slice(0, count).join(" ");

/** The work of this transaction, and of earlier ones of its connection. */
const countWork = sql`SELECT sum(seq_scan + seq_tup_read + idx_scan + idx_tup_fetch)::float8 AS work
  FROM pg_stat_xact_user_tables WHERE relname IN ('search_texts', 'search_words')`;

/** The statement of a search for all types. */
async function statementOf({ publicId }: Workspace, query: string): Promise<Sql> {
  const [workspace] = await app().db.read<{ id: bigint; memberId: bigint }>(sql`
    SELECT w.id, m.id AS "memberId" FROM workspaces w JOIN members m ON m."workspaceId" = w.id
    WHERE w."publicId" = ${publicId}`);
  if (workspace === undefined) throw new Error(`no workspace ${publicId}`);
  const viewer = { memberId: workspace.memberId, managesWorkspace: true, boardId: null };
  const search = {
    workspaceId: workspace.id,
    viewer,
    boardPublicId: null,
    asked: asked(query),
    cardNumber: null,
    isPassing: null,
    types: SearchType.options,
  };
  return searchStatement(search, { after: null, limit: 50 });
}

/** Searches, and counts the looks into the tables of the search and the rows that it reads. */
async function workOf(workspace: Workspace, query: string): Promise<number> {
  const statement = await statementOf(workspace, query);
  return app().db.transact(async (_, run) => {
    const counted = async () => (await run<{ work: number }>(countWork))[0]?.work ?? NaN;
    const before = await counted();
    await run(statement);
    return (await counted()) - before;
  });
}

test("a query of 50 words over many boards takes the work of its first words", async () => {
  const workspace = await makeWorkspace(app());
  await fillBoards(app(), workspace, boards, words);
  const [list = ""] = (await makeBoard(workspace)).lists;
  const card = await makeCard(workspace.admin, list, `${phrase(most)} more`);
  const { status, body } = await workspace.admin.rest.get(
    `/workspaces/${workspace.publicId}/search?query=${encodeURIComponent(phrase(words.length))}`,
  );
  expect(status).toBe(200);
  expect(body.items.map((hit: { publicId: string }) => hit.publicId)).toContain(card);
  const work = await workOf(workspace, phrase(most));
  expect(work).toBeGreaterThan(0);
  expect(await workOf(workspace, phrase(words.length))).toBe(work);
});

test("at most four words of a query are compared with those of every board", async () => {
  const workspace = await makeWorkspace(app());
  await fillBoards(app(), workspace, boards, words);
  const four = await workOf(workspace, phrase(4));
  expect(await workOf(workspace, phrase(most))).toBeLessThan(2 * four);
});

test("searches with different words are one prepared statement, whose plan they share", async () => {
  const workspace = await makeWorkspace(app());
  const counts = [1, 2, 3, 4, 5, 6, 7, 8];
  const statements = await Promise.all(
    counts.map((count) => statementOf(workspace, phrase(count))),
  );
  expect(new Set(statements.map(({ text }) => text)).size).toBe(1);
  expect(statements.some(({ isUnprepared }) => isUnprepared)).toBe(false);
});
