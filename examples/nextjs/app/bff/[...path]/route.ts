import { cookies } from "next/headers";
import { forward } from "@workspace-board-service/client/server";
import { sessions, url, visitorOf } from "../../../sessions";

/** Forwards a call of the browser to the service, with the token of the session. */
async function handler(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/bff/, "");
  const visitor = visitorOf(request.headers);
  const token = sessions.refresh(await cookies(), visitor);
  return forward(request, { url, path, token, ...visitor });
}

export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
