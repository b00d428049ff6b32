import { router } from "../../kernel/request/trpc.ts";
import { createComment } from "../../domain/comments/create.ts";
import { deleteComment } from "../../domain/comments/delete.ts";
import { listComments } from "../../domain/comments/list.ts";
import { updateComment } from "../../domain/comments/update.ts";

/** Comments on a card. */
export const comments = router({
  list: listComments,
  create: createComment,
  update: updateComment,
  delete: deleteComment,
});
