import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** An invite link of a workspace. `inviteCode` is the code to accept. */
export const Invite = z
  .object({
    publicId: z.string(),
    inviteCode: z.string(),
    role: z.string(),
    isActive: z.boolean(),
    maxUses: z.int().nullable(),
    uses: z.int(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "Invite" });
