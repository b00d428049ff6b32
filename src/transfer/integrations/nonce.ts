import { randomBytes } from "node:crypto";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { Context } from "../../kernel/request/context.ts";
import { stateMs } from "./state.ts";

// With the prefix `__Host-` a browser accepts the cookie from this host only.
const cookieName = (isSecure: boolean) => (isSecure ? "__Host-wbs_connect" : "wbs_connect");
const isHttps = ({ baseUrl }: Context["deps"]) => baseUrl.startsWith("https:");

/** Sets a nonce as a cookie of the caller's browser; returns its fingerprint. */
export function setNonce({ deps, responseMeta }: Pick<Context, "deps" | "responseMeta">): string {
  const nonce = randomBytes(32).toString("base64url");
  const secure = isHttps(deps);
  responseMeta.cookie = [
    `${cookieName(secure)}=${nonce}`,
    "Path=/",
    `Max-Age=${stateMs / 1000}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(secure ? ["Secure"] : []),
  ].join("; ");
  return fingerprint(nonce);
}

/** Whether the browser of a request has the cookie with a nonce. */
export function hasNonce({ deps, cookies = "" }: Pick<Context, "deps" | "cookies">, hash: string) {
  const name = `${cookieName(isHttps(deps))}=`;
  return cookies
    .split(";")
    .map((cookie) => cookie.trim())
    .some((cookie) => cookie.startsWith(name) && fingerprint(cookie.slice(name.length)) === hash);
}
