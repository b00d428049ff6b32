import type { Comment as CommentRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { MemberRef } from "../../contract/resources/members.ts";
import { Comment } from "../../contract/resources/comments.ts";
import { iso } from "../../contract/vocabulary/texts.ts";

/** The author of a comment whose account is deleted. */
export const unknownAuthor = "Deleted user";

type CommentView = z.infer<typeof Comment>;

/** Shows a comment. `member` is its author, or the member that the imported author is. */
export const showComment = (
  comment: CommentRow,
  member: z.infer<typeof MemberRef> | null,
): CommentView => ({
  publicId: comment.publicId,
  comment: comment.comment,
  ...showAuthor(comment, member),
  isEdited: comment.version > 1,
  version: comment.version,
  createdAt: iso(comment.createdAt),
  updatedAt: iso(comment.updatedAt),
});

const Source = Comment.shape.importedAuthor.unwrap().shape.source;

/** Shows the author of a comment, who is perhaps a member. */
export function showAuthor(
  { authorName, importSource }: Pick<CommentRow, "authorName" | "importSource">,
  member: z.infer<typeof MemberRef> | null,
): Pick<CommentView, "author" | "authorName" | "importedAuthor"> {
  if (importSource === null) {
    const name = member?.name ?? authorName ?? unknownAuthor;
    return { author: member, authorName: name, importedAuthor: null };
  }
  const name = authorName ?? unknownAuthor;
  const importedAuthor = { name, source: Source.parse(importSource), member };
  return { author: null, authorName: name, importedAuthor };
}
