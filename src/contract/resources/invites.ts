import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** A link into a workspace; `inviteCode` is what opens it. */
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
