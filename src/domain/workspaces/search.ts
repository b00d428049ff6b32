import { z } from "zod";
import { givenId, idOf } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { notFound } from "../../platform/errors.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { SearchType, type HitType } from "./search-matches.ts";
import { boardStatement, searchStatement, type Hit } from "./search-statement.ts";

const SearchInput = Page.extend({
  query: text(1, 200).meta({
    examples: ["announcement"],
    description:
      "The words to search for, the last of which may be a prefix, or a card number such as `ENG-12`.",
  }),
  type: SearchType.meta({ description: "Only results of this type." }).optional(),
  boardPublicId: givenId("board", "Only results on this board.").optional(),
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
        "names with similar words follow. `ENG-12` finds that card.",
    ),
  )
  .output(
    pageOf(SearchHit).extend({
      isCapped: z.boolean().meta({
        description:
          "Some matches are missing: more than 1,000 resources of a type match, or more than " +
          "100 by similar words.",
      }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { workspace, membership, db, deps } = ctx;
    if (input.boardPublicId !== undefined) {
      const found = boardStatement(workspace.id, viewerOf(ctx), input.boardPublicId);
      if ((await db.query(found)).length === 0) throw notFound("board");
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
    const types = SearchType.options.filter(
      (type) => allowed[type] && type === (input.type ?? type),
    );
    const search = {
      workspaceId: workspace.id,
      viewer: viewerOf(ctx),
      boardPublicId: input.boardPublicId ?? null,
      phrase: input.query.trim(),
      cardNumber: cardNumberIn(input.query),
      types,
    };
    const page = { after, limit: input.limit + 1 };
    const found = types.length === 0 ? [] : await db.query<Hit>(searchStatement(search, page));
    const { rows, nextCursor } = keyset.page(found, input.limit);
    const items = may("board:view") ? rows : rows.map((row) => ({ ...row, boardName: "" }));
    return { items, nextCursor, isCapped: rows.some((row) => row.isCapped) };
  });

const cardNumberIn = (phrase: string) => {
  const found = /^\s*(?:[A-Za-z0-9]{1,10}-|#)?([1-9]\d{0,8})\s*$/.exec(phrase)?.[1];
  return found === undefined ? null : Number(found);
};
