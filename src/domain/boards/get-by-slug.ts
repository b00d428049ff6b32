import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { Slug } from "../../contract/vocabulary/texts.ts";
import { Answered } from "../../kernel/procedures/builder.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Due } from "../cards/filters.ts";
import { hideMemberIds } from "../mentions.ts";
import { PublicBoard } from "./public.ts";
import { publicResponse, readPublic, storePublic } from "./public-cache.ts";

const Selection = z.strictObject({
  workspaceSlug: Slug.meta({
    description: "The slug of the workspace.",
    examples: ["analytical-engines"],
  }),
  boardSlug: Slug.meta({ description: "The slug of the board.", examples: ["website-relaunch"] }),
  due: Due.optional(),
  cardLimit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .meta({ examples: [50], description: "The maximum number of cards per list." }),
});

/** Reads a public board without authentication. */
export const getBoardBySlug = query("board.getBySlug", Selection)
  .meta(
    rest("Boards").get(
      "/workspaces-by-slug/{workspaceSlug}/boards/{boardSlug}",
      "Get a public board",
      "Returns a public board by its slug, without a credential. It shows texts, labels, dates, " +
        "checklists and the latest 50 comments of each card. Ids, email addresses, attachments " +
        "and archived cards are left out. At most 1,000 cards and about 4 MB are shown, the " +
        "first of each list. Returns 404 for any other board. Also served at " +
        "`/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}`.",
      { errors: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}/boards/{boardSlug}" },
    ),
  )
  .output(PublicBoard)
  .query(async ({ ctx, input }) => {
    const { data } = await publicResponse(ctx, input, async () => {
      const publicRead = await readPublic(ctx, input);
      const response = PublicBoard.parse(hideMemberIds(publicRead.contents));
      storePublic(ctx, input, publicRead, response);
      return { data: response };
    });
    return new Answered(data);
  });
