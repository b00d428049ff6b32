import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import {
  AuthorName,
  CommentText,
  CreatedAt,
  MemberName,
  UpdatedAt,
  Version,
} from "../fields/shared.ts";
import { MemberRef } from "./members.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The author of an imported comment, as its source names them. */
const ImportedAuthor = z
  .object({
    name: MemberName,
    source: z
      .enum(["trello", "github", "workspace"])
      .meta({ id: "ImportedFrom", description: "The service that a comment comes from." }),
    member: MemberRef.nullable().meta({ description: "The member." }),
  })
  .meta({
    id: "ImportedAuthor",
    description: "The author of an imported comment, as its source names them.",
  });

/** A comment of a card, in Markdown. */
export const Comment = viewedWith(
  "comment:view",
  z
    .object({
      publicId: idOf("comment"),
      comment: CommentText,
      author: MemberRef.nullable().meta({
        description:
          "The author as a member of the workspace; null for authors who are not members.",
      }),
      authorName: AuthorName,
      importedAuthor: ImportedAuthor.nullable().meta({
        description:
          "The author of an imported comment: a name at its source, and the member that the " +
          "person was mapped to. The comment belongs to no account.",
      }),
      isEdited: z
        .boolean()
        .meta({ description: "Whether the text was changed after its creation." }),
      version: Version,
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
    })
    .meta({ id: "Comment", description: "A comment of a card." }),
);

/** A comment with its card. */
export const CommentDetail = viewedWith(
  "comment:view",
  Comment.extend({ cardPublicId: idOf("card") }).meta({
    id: "CommentDetail",
    description: "A comment with its card.",
  }),
);
