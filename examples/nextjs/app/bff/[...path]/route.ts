import { cookies } from "next/headers";
import { forward } from "@workspace-board-service/client/server";
import { sessions, url } from "../../../sessions";

/** Forwards a call of the browser to the service, with the token of the session. */
async function handler(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/bff/, "");
  return forward(request, { url, path, token: await sessions.refresh(await cookies()) });
}

export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
