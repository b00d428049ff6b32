import { z } from "zod";

/** What is imported with the cards of a board. */
export const Include = z.strictObject({
  comments: z
    .boolean()
    .default(true)
    .meta({ description: "Whether comments are imported.", examples: [true] }),
  attachments: z
    .boolean()
    .default(true)
    .meta({
      examples: [true],
      description: "Links are imported as links; files that Trello stores are fetched.",
    }),
  members: z
    .boolean()
    .default(true)
    .meta({
      description: "Whether the people of the source are listed, to be mapped to members.",
      examples: [true],
    }),
  archived: z
    .boolean()
    .default(true)
    .meta({ description: "Whether archived lists and cards are imported.", examples: [true] }),
});
export type Include = z.infer<typeof Include>;

/** Boards by their ids at Trello, with the caller's own key and token. */
export const TrelloInput = z.strictObject({
  boardIds: z
    .array(z.string().regex(/^[0-9a-zA-Z]{8,24}$/, "Must be the id of a board at Trello"))
    .min(1)
    .max(50)
    .meta({
      description: "The ids of the boards at Trello.",
      examples: [["5abbe4b7ddc1b351ef961414"]],
    }),
  apiKey: z
    .string()
    .length(32)
    .meta({
      description: "The API key of the user at Trello. It is not stored in plain text.",
      examples: ["0123456789abcdef0123456789abcdef"],
    }),
  token: z
    .string()
    .length(76)
    .meta({
      description: "The token of the user at Trello. It is deleted after the import.",
      examples: ["ATTA0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567"],
    }),
  include: Include.default({
    comments: true,
    attachments: true,
    members: true,
    archived: true,
  }).meta({
    description: "What to import with the cards.",
    examples: [{ comments: true, attachments: true, members: true, archived: true }],
  }),
});
