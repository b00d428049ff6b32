import { z } from "zod";
import { success, Success, text } from "../../contract/vocabulary/texts.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { countUser } from "../auth/login.ts";
import { maxUriLength } from "./redirect-uris.ts";

const Revocation = z.strictObject({
  token: text(1, 4_000).meta({
    description: "The access token or the refresh token.",
    examples: ["the-refresh-token"],
  }),
  clientId: text(1, maxUriLength).meta({
    description: "The id of the app.",
    examples: ["a4p8p2c6l1n5"],
  }),
});

/** Disconnects an app with one of its tokens. A token of another app changes nothing (RFC 7009). */
export const revokeGrant = externalMutation("oauth.revoke", Revocation)
  .meta(
    rest("OAuth").post(
      "/oauth/revoke",
      "Disconnect an app",
      "Disconnects an app by one of its tokens: all its tokens stop working at once. The response " +
        "is the same for a token that is unknown. `POST /oauth/revoke` does the same in the form " +
        "of RFC 7009.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx, input: { token, clientId } }) => {
    const grant = await grantIn(ctx, token);
    const user = await ctx.transact(async ({ query, now }) => {
      const [ended] = await query<{ user: string }>(sql`UPDATE api_keys k
        SET "revokedAt" = ${now}::timestamptz FROM apps a, users u
        WHERE a.id = k."appId" AND u.id = k."userId" AND a."clientId" = ${clientId}
          AND k."revokedAt" IS NULL AND (k."publicId" = ${grant}
            OR k.id = (SELECT "keyId" FROM app_refresh_tokens
              WHERE "tokenHash" = ${fingerprint(token)}))
        RETURNING u."publicId" AS "user"`);
      return ended?.user;
    });
    if (user !== undefined) await ctx.prove?.(() => countUser(ctx.deps, user));
    return success;
  });

/** The public id of the grant of an access token; null for any other text. */
async function grantIn({ deps: { grantTokens } }: Context, token: string): Promise<string | null> {
  if (!grantTokens.names(token)) return null;
  const read = await grantTokens.read(token);
  return "fault" in read ? null : read.grant;
}
