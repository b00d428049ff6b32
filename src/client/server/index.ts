export {
  createIssuer,
  newIssuerKey,
  type Identity,
  type Issuer,
  type IssuerKey,
} from "./issuer.ts";
export {
  sessionCookies,
  type CookieJar,
  type CookieOptions,
  type SessionCookies,
} from "./session-cookies.ts";
export { forward } from "./forward.ts";
export type { Visitor } from "./visitor.ts";
export { dehydrate, type DehydratedState } from "./dehydrate.ts";
