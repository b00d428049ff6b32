import { cookies } from "next/headers";
import { sessions, visitorOf } from "../../../sessions";

/** Forwards a call of the browser to the service, with the token of the session. */
async function handler(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/bff/, "");
  return sessions.forward(request, await cookies(), { path, ...visitorOf(request.headers) });
}

export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
