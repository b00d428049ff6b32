import { z } from "zod";
import { MemberRef } from "./members.ts";
import { Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

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
      isEdited: z.boolean(),
      version: z.int(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: "Comment" }),
);
