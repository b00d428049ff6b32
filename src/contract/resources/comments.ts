import { z } from "zod";
import { MemberRef } from "./members.ts";
import { sourceFamilies } from "../vocabulary/import-sources.ts";
import { Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The author of an imported comment, as its source names them. */
const ImportedAuthor = z
  .object({
    name: z.string(),
    source: z.enum(sourceFamilies),
    member: MemberRef.nullable(),
  })
  .meta({ id: "ImportedAuthor" });

/** A comment of a card, in Markdown. */
export const Comment = viewedWith(
  "comment:view",
  z
    .object({
      publicId: z.string(),
      comment: z.string(),
      author: MemberRef.nullable().meta({
        description:
          "The author as a member of the workspace; null for authors who are not members.",
      }),
      authorName: z.string(),
      importedAuthor: ImportedAuthor.nullable().meta({
        description:
          "The author of an imported comment: a name at its source, and the member that the " +
          "person was mapped to. The comment belongs to no account.",
      }),
      isEdited: z.boolean(),
      version: z.int(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: "Comment" }),
);

/** A comment with its card. */
export const CommentDetail = viewedWith(
  "comment:view",
  Comment.extend({ cardPublicId: z.string() }).meta({ id: "CommentDetail" }),
);
