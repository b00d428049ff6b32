import { router } from "../trpc.ts";
import { createComment } from "./create.ts";
import { deleteComment } from "./delete.ts";
import { listComments } from "./list.ts";
import { updateComment } from "./update.ts";

/** Comments on a card. */
export const comments = router({
  list: listComments,
  create: createComment,
  update: updateComment,
  delete: deleteComment,
});
