import { z } from "zod";
import { inputId, idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { FilterText } from "../../contract/filter/schema.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { askerOf, isPassingTree, type Asker } from "../cards/filters.ts";
import { customNamesIn, readCustomFields } from "../filters/custom-fields.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { notFound } from "../../platform/errors.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { asked } from "./search-asked.ts";
import { SearchType, type HitType, type Search } from "./search-matches.ts";
import { similarWords } from "./search-similar.ts";
import {
  boardStatement,
  searchStatement,
  type PageOfSearch,
  type Row,
} from "./search-statement.ts";

const SearchInput = Page.extend({
  query: text(1, 200).meta({
    examples: ["announcement"],
    description:
      "The words to search for, the last of which may be a prefix, or a card number such as `ENG-12`.",
  }),
  type: SearchType.meta({ description: "Only results of this type." }).optional(),
  boardPublicId: inputId("board", "Only results on this board.").optional(),
  filter: FilterText.optional(),
});
const SearchHit = z
  .object({
    type: SearchType.meta({ examples: ["card"] }),
    publicId: idOf("card", "Public id of the result."),
    title: z.string().meta({
      description: "The title or name of the result.",
      examples: ["Write the announcement"],
    }),
    excerpt: z.string().meta({
      description: "The start of the text, or the part that matches.",
      examples: ["Two paragraphs and a picture."],
    }),
    cardNumber: z
      .string()
      .nullable()
      .meta({
        description: "The number of the card, such as `ENG-12`. Null for a board.",
        examples: ["AE-12"],
      }),
    cardPublicId: idOf("card", "Public id of the card. Null for a board.").nullable(),
    boardPublicId: idOf("board"),
    boardName: z.string().meta({
      examples: ["Website relaunch"],
      description: "The name of the board. Empty for callers without `board:view`.",
    }),
  })
  .meta({ id: "SearchHit", description: "A result of a search." });

/** Searches boards, cards and comments, best match first. */
export const searchWorkspace = query("workspace.search", SearchInput)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/search",
      "Search a workspace",
      "Searches the boards, cards and comments that the caller may see, and returns the best " +
        "matches first. All words must match; the last one may be a prefix. If few names match, " +
        "names with similar words follow. `ENG-12` finds that card. With a `filter`, only cards " +
        "that pass it and comments on them are found.",
    ),
  )
  .output(
    pageOf(SearchHit).extend({
      isCapped: z.boolean().meta({
        description:
          "Some matches are missing: 250 or more resources of a type match (5,000 with a " +
          "`filter`), or 100 by similar words.",
      }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { workspace, membership, db, deps } = ctx;
    const viewer = viewerOf(ctx);
    if (input.boardPublicId !== undefined) {
      const board = boardStatement(workspace.id, viewer, input.boardPublicId);
      if ((await db.query(board)).length === 0) throw notFound("board");
    }
    const keyset = pagesByKeys(deps.seal, `search of ${workspace.id} for ${input.query}`);
    const after = keyset.after(input.cursor) ?? null;
    const may = (permission: "board:view" | "card:view" | "comment:view") =>
      membership.may.has(permission);
    const allowed: Record<HitType, boolean> = {
      board: may("board:view"),
      card: may("card:view"),
      comment: may("card:view") && may("comment:view"),
    };
    const isAsked = (type: HitType) =>
      type === (input.type ?? type) && (type !== "board" || input.filter === undefined);
    const types = SearchType.options.filter((type) => allowed[type] && isAsked(type));
    const asker = askerOf(ctx, deps.clock());
    const search = {
      workspaceId: workspace.id,
      viewer,
      boardPublicId: input.boardPublicId ?? null,
      asked: asked(input.query.trim()),
      cardNumber: cardNumberIn(input.query),
      types,
      isPassing:
        input.filter === undefined
          ? null
          : await compiled(db.query, { filter: input.filter, asker }, workspace.id, viewer),
    };
    const page = { after, limit: input.limit + 1 };
    const resultRows = types.length === 0 ? [] : await find(db.query, search, page);
    const hits = resultRows.flatMap((row) => (row.type === null ? [] : [row]));
    const { rows, nextCursor } = keyset.page(hits, input.limit);
    const items = may("board:view") ? rows : rows.map((row) => ({ ...row, boardName: "" }));
    return { items, nextCursor, isCapped: resultRows[0]?.isCapped === true };
  });

/** Similar words are searched when fewer names than this have the words themselves. */
const enough = 50;

/** Searches by the words of the query, and if few names have them, by similar ones too. */
async function find(read: Query, search: Search, page: PageOfSearch): Promise<Row[]> {
  const rows = await read<Row>(searchStatement(search, page));
  if ((rows[0]?.names ?? 0) >= enough) return rows;
  const similar = await similarWords(read, search);
  return similar.length === 0 ? rows : read<Row>(searchStatement(search, page, similar));
}

/** SQL: whether the card `c` passes a filter, which may name fields of all visible boards. */
async function compiled(
  read: Query,
  { filter, asker }: { filter: FilterTree; asker: Asker },
  workspaceId: bigint,
  viewer: Viewer,
): Promise<Sql> {
  const isOf = sql`EXISTS (SELECT 1 FROM boards b WHERE b.id = f."boardId"
    AND b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL AND ${isVisible(viewer)})`;
  const custom = await readCustomFields(read, isOf, customNamesIn(filter), filter);
  return sql`true ${isPassingTree({ filter, asker, custom }, true)}`;
}

const cardNumberIn = (phrase: string) => {
  const number = /^\s*(?:[A-Za-z0-9]{1,10}-|#)?([1-9]\d{0,8})\s*$/.exec(phrase)?.[1];
  return number === undefined ? null : Number(number);
};
