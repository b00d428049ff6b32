import { createClient } from "@workspace-board-service/client";
import { sessionCookies, type Visitor } from "@workspace-board-service/client/server";

/** The address of the service. Only the server calls it. */
export const url = process.env["BOARDS_URL"] ?? "http://127.0.0.1:3000";

/** The address of this example, where providers of sign-in return to: in `RETURN_URLS` of the service. */
export const origin = process.env["ORIGIN"] ?? "http://localhost:4000";

/** The service, as nobody. */
export const service = createClient({ url });

/** Sessions in httpOnly cookies; in development without https. */
export const sessions = sessionCookies({ url, secure: process.env.NODE_ENV === "production" });

/** The browser of a request: the service limits each by its address, with `TRUST_PROXY=1`. */
export const visitorOf = (headers: Headers): Visitor => ({
  address: headers.get("x-forwarded-for") ?? undefined,
});
