import { z } from "zod";
import { CreatedAt, InviteExpiresAt } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";

/** An invite link of a workspace. `inviteCode` is the code to accept. */
export const Invite = z
  .object({
    publicId: idOf("invite"),
    inviteCode: z.string().meta({
      description: "The code of the invite link, or of a mailed invite.",
      examples: ["V1StGXR8_Z5jdHi6B-myT1aa"],
    }),
    role: z
      .string()
      .meta({ description: "The name of the role that new members get.", examples: ["member"] }),
    isActive: z.boolean().meta({ description: "Whether the link can be used.", examples: [true] }),
    maxUses: z
      .int()
      .nullable()
      .meta({
        description: "How many accounts may accept the link. Null for no limit.",
        examples: [10],
      }),
    uses: z.int().meta({ description: "How many accounts have accepted the link.", examples: [2] }),
    createdAt: CreatedAt,
    expiresAt: InviteExpiresAt,
  })
  .meta({ id: "Invite", description: "An invite link of a workspace." });
