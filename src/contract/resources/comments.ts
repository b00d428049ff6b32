import { z } from "zod";
import { MemberRef } from "./members.ts";
import { Timestamp } from "../vocabulary/fields.ts";

/** A comment in Markdown. `author` is null when they are not a member; `authorName` stays. */
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
