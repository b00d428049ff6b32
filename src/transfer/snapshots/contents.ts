import { assemble, type CardListRow } from "../../domain/cards/assemble.ts";
import { readParts, shownRow } from "../../domain/boards/parts.ts";
import type { SummaryRow } from "../../domain/parts/part.ts";
import { summaries } from "../../domain/cards/parts-sql.ts";
import { showBoard } from "../../domain/presenters/boards.ts";
import { showList } from "../../domain/presenters/lists.ts";
import { showMember, type MemberView } from "../../domain/presenters/members.ts";
import { showRole } from "../../domain/presenters/roles.ts";
import { showView } from "../../domain/presenters/views.ts";
import { showWorkspace } from "../../domain/presenters/workspaces.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Board, List, Role, View, Workspace } from "../../platform/db/rows.ts";
import { groupBy } from "../../platform/maps.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { paged, partPages } from "../exports/pages.ts";
import type { Lines } from "./lines.ts";
import { isVisible } from "../../kernel/access/visibility.ts";
import * as statements from "./statements.ts";
import { cardParts } from "../../domain/parts/card.ts";
import type { OnCard } from "../../domain/parts/rows-sql.ts";
import { only, seenBy } from "../../domain/parts/things.ts";
import { snapshotLines } from "../../contract/resources/snapshot.ts";

/** Which parts of cards a snapshot shows, by their names. */
export type Parts = Readonly<Record<string, boolean>>;

/** What a snapshot shows: a workspace, some of its boards, and some parts of their cards. */
export type SnapshotSource = {
  workspace: Workspace;
  boards: statements.BoardSelection;
  parts: Parts;
  showEmails: boolean;
  /** The base URL of the REST API. */
  api: string;
};

/** Where a snapshot is read from, what it shows, and what it has written. */
type SnapshotWriter = { query: Query; source: SnapshotSource; lines: Lines };

type Card = { id: bigint; publicId: string };

/** The parts of cards that have lines of their own. */
const parts = Object.entries(cardParts).flatMap(([name, { rows }]) =>
  rows === undefined ? [] : [{ name, rows, kind: rows.kind, show: only(snapshotLines[rows.kind]) }],
);

/** Writes the lines of the selected parts of cards: of each kind, card by card. */
async function* cardPartLines(
  { query, source, lines }: SnapshotWriter,
  cards: Card[],
): AsyncGenerator<string> {
  const ids = cards.map(({ id }) => id);
  for (const { name, kind, show, rows } of parts) {
    if (source.parts[name] !== true || !lines.shows(kind)) continue;
    const linesOf = (rowsOfCard: OnCard[], nth: bigint) => {
      const things = rows.things(rowsOfCard, source.api);
      const values = rows.together ? [{ [name]: rows.together(things) }] : things;
      const cardPublicId = cards[Number(nth) - 1]?.publicId;
      return values.map((value) => show({ ...value, cardPublicId }));
    };
    const visible = seenBy(rows, (board) => isVisible(source.boards.viewer, board));
    for await (const page of partPages(query, visible, ids)) {
      const byCard = groupBy(page, ({ nth }) => nth);
      yield lines.write(
        kind,
        [...byCard].flatMap(([nth, rowsOfCard]) => linesOf(rowsOfCard, nth)),
      );
    }
  }
}

/** Cards have many parts, so that a page of them is small. */
const pageSize = 100;

type Text = AsyncGenerator<string>;
type CardRow = CardListRow & { description: string | null; position: string };
type Id = { id: bigint };
const idOf = ({ id }: Id) => id;

/** The rows of a statement, page by page, in the order of their ids. */
const byId = <Item extends Id>(query: Query, statement: (after: bigint, limit: number) => Sql) =>
  paged<Item, bigint>((after, limit) => query(statement(after, limit)), 0n, idOf, pageSize);

/** Writes the lines of a snapshot, page by page: memory does not grow with the workspace. */
export async function* contentsOf(query: Query, source: SnapshotSource, lines: Lines): Text {
  const reading = { query, source, lines };
  yield lines.write("workspace", [showWorkspace(source.workspace)]);
  if (lines.shows("role")) yield* peopleOf(reading);
  if (!lines.shows("board")) return;
  const views = await query<View>(statements.views(source.workspace.id));
  const viewsOn = groupBy(views, ({ boardId }) => boardId);
  // As in feeds, keys that are bound to a board see what is on it.
  if (source.boards.viewer.boardId === null) yield viewLines(lines, viewsOn.get(null));
  const pages = byId<Board>(query, (after, limit) =>
    statements.boards(source.boards, after, limit),
  );
  for await (const rows of pages) {
    for (const board of rows) yield* boardOf(reading, board, viewsOn.get(board.id));
  }
}

async function* peopleOf({ query, source, lines }: SnapshotWriter): Text {
  const { id } = source.workspace;
  const roles = byId<Role>(query, (after, limit) => statements.roles(id, after, limit));
  for await (const rows of roles) yield lines.write("role", rows.map(showRole));
  const members = byId<MemberView & Id>(query, (after, limit) =>
    statements.members(id, after, limit),
  );
  for await (const rows of members) {
    yield lines.write(
      "member",
      rows.map((row) => showMember(row, source.showEmails)),
    );
  }
}

/** The lines of the views of a board, or of those of the workspace. */
const viewLines = (lines: Lines, views: View[] = [], boardPublicId: string | null = null) =>
  lines.write(
    "view",
    views.map((view) => showView(view, boardPublicId)),
  );

async function* boardOf(reading: SnapshotWriter, board: Board, views?: View[]): Text {
  const { query, source, lines } = reading;
  const boardPublicId = board.publicId;
  yield lines.write("board", [showBoard(board)]);
  yield viewLines(lines, views, boardPublicId);
  for (const { kind, rows } of await readParts(query, sql`${board.id}`)) {
    yield lines.write(
      kind,
      rows.map((row) => ({ ...shownRow(row), boardPublicId })),
    );
  }
  // As in `board.get`, cards are in their lists.
  if (!lines.shows("list")) return;
  const lists = await query<List>(statements.lists(board.id, source.boards.archived));
  yield lines.write(
    "list",
    lists.map((list) => ({ ...showList(list), boardPublicId })),
  );
  if (lines.shows("card")) for (const list of lists) yield* cardsOf(reading, list, boardPublicId);
}

async function* cardsOf(reading: SnapshotWriter, list: List, boardPublicId: string): Text {
  const { query, source, lines } = reading;
  const { archived } = source.boards;
  // A page is read with its parts, so that the database reads both while one is written.
  const readPage = async (after: string, limit: number) => {
    const rows = await query<CardRow>(statements.cards(list.id, archived, after, limit));
    if (rows.length === 0) return [];
    const ids = rows.map(idOf);
    const related = await query<SummaryRow>(summaries(sql`c.id = ANY(${ids}::bigint[])`));
    return assemble(rows, related).flatMap((card, nth) => {
      const row = rows[nth];
      return row === undefined ? [] : { row, card };
    });
  };
  let index = 0;
  for await (const cardRows of paged(readPage, "-infinity", ({ row }) => row.position, pageSize)) {
    const cards = cardRows.map(({ row: { description }, card }) => ({
      ...card,
      index: card.isArchived ? null : index++,
      description,
      boardPublicId,
    }));
    yield lines.write("card", cards);
    const rows = cardRows.map(({ row }) => row);
    yield* cardPartLines(reading, rows);
  }
}
