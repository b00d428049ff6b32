import type { z } from "zod";
import type { SecondFactor } from "../../contract/resources/second-factor.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import type { SecondFactor as SecondFactorRow } from "../../platform/db/rows.ts";

/** Shows a second factor, without what it is proved with. */
export const showSecondFactor = ({
  publicId,
  type,
  name,
  createdAt,
  lastUsedAt,
}: Pick<SecondFactorRow, "publicId" | "type" | "name" | "createdAt" | "lastUsedAt">): z.infer<
  typeof SecondFactor
> => ({
  publicId,
  type: type === "totp" ? "totp" : "passkey",
  name,
  createdAt: iso(createdAt),
  lastUsedAt: isoOrNull(lastUsedAt),
});
