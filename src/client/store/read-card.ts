import type { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { paginate } from "../pages.ts";
import { isDenied } from "./failures.ts";
import type { CardDetail, Comment } from "./types.ts";

/** Reads a card with its comments. A caller without comment:view reads it without them. */
export async function readCard(client: Client, cardPublicId: string): Promise<CardDetail> {
  const comments: Comment[] = [];
  const readComments = async () => {
    for await (const comment of paginate(client.comment.list, { cardPublicId, limit: 100 })) {
      comments.push(comment);
    }
  };
  const [card] = await Promise.all([
    client.card.get({ cardPublicId }),
    readComments().catch((error: BoardServiceError) => {
      if (!isDenied(error)) throw error;
    }),
  ]);
  return { ...card, comments };
}
