import { NextResponse, type NextRequest } from "next/server";
import { sessions } from "./sessions";

/** Renews the session before a page is rendered: server components cannot set cookies. */
export async function proxy(request: NextRequest) {
  const changed: Parameters<NextResponse["cookies"]["set"]>[] = [];
  const token = await sessions.refresh({
    get: (name) => request.cookies.get(name),
    set(name, value, options) {
      // For the page of this request, and for the browser.
      request.cookies.set(name, value);
      changed.push([name, value, options]);
    },
  });
  const isSignedIn = token !== undefined;
  const response = isSignedIn
    ? NextResponse.next({ request })
    : NextResponse.redirect(new URL("/sign-in", request.url));
  for (const cookie of changed) response.cookies.set(...cookie);
  return response;
}

export const config = { matcher: ["/", "/boards/:path*"] };
