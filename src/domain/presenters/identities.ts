import type { z } from "zod";
import type { Identity } from "../../contract/resources/sign-in.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import type { Identity as IdentityRow } from "../../platform/db/rows.ts";

/** Shows who the caller is at a provider. */
export const showIdentity = ({
  publicId,
  provider,
  email,
  createdAt,
  lastUsedAt,
}: IdentityRow): z.infer<typeof Identity> => ({
  publicId,
  provider,
  email,
  createdAt: iso(createdAt),
  lastUsedAt: iso(lastUsedAt),
});
