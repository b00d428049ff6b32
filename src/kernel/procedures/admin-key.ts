import { createHash, timingSafeEqual } from "node:crypto";
import type { Deps } from "../request/deps.ts";
import { forbidden, unauthorized } from "../../platform/errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Lets the operator in by the key of the configuration: 403 when there is none, 401 for any other (429 for too many of them). */
export async function checkAdminKey(
  { config, limits }: Pick<Deps, "config" | "limits">,
  key: string | undefined,
  ip: string,
): Promise<void> {
  const { ADMIN_KEY } = config;
  if (ADMIN_KEY === undefined) {
    throw forbidden("Nobody is let in here: the service runs without an ADMIN_KEY.");
  }
  if (key === undefined) throw unauthorized("This needs the operator's key, as X-Admin-Key.");
  if (timingSafeEqual(digest(key), digest(ADMIN_KEY))) return;
  await limits.badCredential(ip);
  throw unauthorized("The X-Admin-Key is not the operator's.");
}
