import { createHash, timingSafeEqual } from "node:crypto";
import type { Deps } from "./deps.ts";
import { forbidden, unauthorized } from "../../platform/errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Checks the operator's key: 403 when it is not set, 401 for a wrong one, 429 for too many. */
export async function checkAdminKey(
  { config, limits }: Pick<Deps, "config" | "limits">,
  key: string | undefined,
  ip: string,
): Promise<void> {
  const { ADMIN_KEY } = config;
  if (ADMIN_KEY === undefined) {
    throw forbidden("admin_disabled", "Admin endpoints are disabled: `ADMIN_KEY` is not set.");
  }
  if (key === undefined)
    throw unauthorized("admin_key_missing", "Send the operator's key in the `X-Admin-Key` header.");
  if (timingSafeEqual(digest(key), digest(ADMIN_KEY))) return;
  await limits.badCredential(ip);
  throw unauthorized("admin_key_wrong", "The `X-Admin-Key` is wrong.");
}
