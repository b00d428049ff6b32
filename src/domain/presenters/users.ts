import type { User as UserRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { User } from "../../contract/resources/users.ts";
import { iso } from "../../contract/vocabulary/texts.ts";

/** Shows a user for the user. */
export const showUser = (user: UserRow): z.infer<typeof User> => ({
  publicId: user.publicId,
  email: user.email,
  name: user.name,
  image: user.image,
  timeZone: user.timeZone,
  version: user.version,
  createdAt: iso(user.createdAt),
});
