import { z } from "zod";
import { externalQuery } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { External } from "./github-projects.ts";
import { listTrelloBoards } from "./trello/boards.ts";

const Credentials = z.strictObject({
  apiKey: z
    .string()
    .length(32)
    .meta({
      examples: ["0123456789abcdef0123456789abcdef"],
      description: "The caller's key at Trello.",
    }),
  token: z
    .string()
    .length(76)
    .meta({
      examples: ["ATTA0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567"],
      description: "The caller's token at Trello.",
    }),
});

/** Lists the boards that the caller can import from Trello. */
export const trelloBoards = externalQuery("import.trelloBoards", Credentials)
  .meta(
    rest("Imports").get(
      "/imports/trello/boards",
      "List your boards on Trello",
      "Returns the boards that the caller can import from Trello with the given key and token. " +
        "Neither is stored.",
    ),
  )
  .output(z.array(External))
  .query(({ ctx: { deps }, input: { apiKey, token } }) =>
    listTrelloBoards({ apiUrl: deps.config.TRELLO_API_URL }, { apiKey, token }),
  );
