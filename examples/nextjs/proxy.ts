import { isError } from "@workspace-board-service/client";
import type { CookieJar } from "@workspace-board-service/client/server";
import { NextResponse, type NextRequest } from "next/server";
import { sessions, visitorOf } from "./sessions";

/** Renews the session before a page is rendered: server components cannot set cookies. */
export async function proxy(request: NextRequest) {
  const changed: Parameters<NextResponse["cookies"]["set"]>[] = [];
  const jar: CookieJar = {
    get: (name) => request.cookies.get(name),
    set(name, value, options) {
      // For the page of this request, and for the browser.
      request.cookies.set(name, value);
      changed.push([name, value, options]);
    },
  };
  let token: string | undefined;
  try {
    token = await sessions.refresh(jar, visitorOf(request.headers));
  } catch (error) {
    if (!isError(error)) throw error;
    return new Response("The board service cannot be reached.", { status: 503 });
  }
  const response =
    token !== undefined
      ? NextResponse.next({ request })
      : NextResponse.redirect(new URL("/sign-in", request.url));
  for (const cookie of changed) response.cookies.set(...cookie);
  return response;
}

export const config = { matcher: ["/", "/boards/:path*"] };
