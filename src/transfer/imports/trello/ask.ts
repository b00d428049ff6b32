import { z } from "zod";

/** What comes along with the cards of a board. */
export const Include = z.strictObject({
  comments: z.boolean().default(true),
  attachments: z
    .boolean()
    .default(true)
    .meta({ description: "Links as links; files that Trello keeps are fetched." }),
  members: z.boolean().default(true),
  archived: z.boolean().default(true),
});
export type Include = z.infer<typeof Include>;

/** What is asked of Trello: boards by their ids there, with the caller's own key and token. */
export const TrelloAsk = z.strictObject({
  boardIds: z
    .array(z.string().regex(/^[0-9a-zA-Z]{8,24}$/, "Must be the id of a board at Trello"))
    .min(1)
    .max(50),
  apiKey: z.string().length(32),
  token: z.string().length(76),
  include: Include.default({ comments: true, attachments: true, members: true, archived: true }),
});
