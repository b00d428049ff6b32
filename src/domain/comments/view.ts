import { z } from "zod";
import type { Comment as CommentRow } from "../../platform/db/rows.ts";
import { iso, Timestamp } from "../../contract/fields.ts";
import { MemberRef } from "../members/view.ts";

/** What somebody said on a card, in Markdown; `author` is null when they are not a member here (any more), and `authorName` then says who it was. */
export const Comment = z
  .object({
    publicId: z.string(),
    comment: z.string(),
    author: MemberRef.nullable(),
    authorName: z.string(),
    isEdited: z.boolean(),
    version: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Comment" });

/** Shows a comment's row; its author comes along as a member, if they are one. */
export const viewComment = (
  comment: CommentRow,
  author: z.infer<typeof MemberRef> | null,
): z.infer<typeof Comment> => ({
  publicId: comment.publicId,
  comment: comment.comment,
  author,
  authorName: author?.name ?? comment.authorName ?? "somebody",
  isEdited: comment.version > 1,
  version: comment.version,
  createdAt: iso(comment.createdAt),
  updatedAt: iso(comment.updatedAt),
});
