import { z } from "zod";

/** What is imported with the cards of a board. */
export const Include = z.strictObject({
  comments: z.boolean().default(true),
  attachments: z.boolean().default(true).meta({
    description: "Links are imported as links; files that Trello stores are fetched.",
  }),
  members: z.boolean().default(true),
  archived: z.boolean().default(true),
});
export type Include = z.infer<typeof Include>;

/** Boards by their ids at Trello, with the caller's own key and token. */
export const TrelloInput = z.strictObject({
  boardIds: z
    .array(z.string().regex(/^[0-9a-zA-Z]{8,24}$/, "Must be the id of a board at Trello"))
    .min(1)
    .max(50),
  apiKey: z.string().length(32),
  token: z.string().length(76),
  include: Include.default({ comments: true, attachments: true, members: true, archived: true }),
});
