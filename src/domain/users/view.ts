import { z } from "zod";
import type { User as UserRow } from "../../platform/db/rows.ts";
import { iso, Timestamp } from "../../contract/fields.ts";

/** An account, as its owner sees it. */
export const User = z
  .object({
    publicId: z.string(),
    email: z.string(),
    name: z.string(),
    image: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "User" });

/** Shows an account's row to its owner. */
export const viewUser = (user: UserRow): z.infer<typeof User> => ({
  publicId: user.publicId,
  email: user.email,
  name: user.name,
  image: user.image,
  createdAt: iso(user.createdAt),
});
