import { z } from "zod";
import { ConnectionRequest } from "../../contract/resources/oauth.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { externalQuery } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { showApp } from "../presenters/apps.ts";
import type { App } from "./apps.ts";
import { findOrFetchApp } from "./document.ts";
import { placeOf } from "./redirect-uris.ts";
import { errorRedirect, isFault, readRequest, type Target } from "./request.ts";

/** The query of a request, as the browser brings it. */
export const RequestQuery = text(1, 4_000).meta({
  description: "The query with which the app sent the browser to `/oauth/authorize`.",
  examples: [
    "response_type=code&client_id=a4p8p2c6l1n5&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=k9",
  ],
});

/** The workspaces of a user that forbid an app. */
export const forbiddenIn = (query: Query, userId: bigint, appId: bigint) =>
  query<{ id: bigint; publicId: string }>(sql`SELECT w.id, w."publicId" FROM forbidden_apps f
    JOIN workspaces w ON w.id = f."workspaceId"
    JOIN members m ON m."workspaceId" = w.id AND m."userId" = ${userId} AND m.status = 'active'
    WHERE f."appId" = ${appId} ORDER BY w.id`);

/** Says what an app asks the caller for. */
export const describeRequest = externalQuery(
  "oauth.describe",
  z.strictObject({ request: RequestQuery }),
)
  .meta(
    rest("OAuth").post(
      "/oauth/describe",
      "Describe an app's request",
      "Says who asks, where the browser returns, and what the app wants, for a page that asks the " +
        "caller. Returns 400 if the app or its address is unknown: then the browser must not be sent " +
        "there.",
    ),
  )
  .output(ConnectionRequest)
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    const { baseUrl } = deps;
    const request = await readRequest(input.request, baseUrl, (id) => findOrFetchApp(ctx, id));
    const { app, asked, redirectUri } = request;
    const target = isFault(asked) ? { resource: baseUrl, mayWrite: false } : asked;
    return {
      redirectTo: isFault(asked) ? errorRedirect(request, asked, deps) : null,
      returnsTo: placeOf(redirectUri),
      ...(await describeTo(ctx, app, target)),
    };
  });

/** What a person reads before they decide about an app. */
export async function describeTo(
  { caller, db }: { caller: Pick<Caller, "userId">; db: DatabaseReader },
  app: App,
  { resource, mayWrite }: Target,
) {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: caller.userId } });
  const forbidding = await forbiddenIn(db.query, caller.userId, app.id);
  return {
    app: showApp(app),
    resource,
    mayWrite,
    needsPassword: passwordHash !== null,
    forbiddenIn: forbidding.map(({ publicId }) => publicId),
  };
}
