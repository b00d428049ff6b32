import { z } from "zod";
import { AppName, RegisteredApp } from "../../contract/resources/oauth.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { badRequest } from "../../platform/errors.ts";
import { isRedirectUri, maxUriLength } from "./redirect-uris.ts";

const maxRedirects = 20;

const Registration = z.strictObject({
  name: AppName.default("Unnamed app"),
  redirectUris: z
    .array(z.string().max(maxUriLength))
    .min(1)
    .max(maxRedirects)
    .meta({
      description:
        "Where the browser returns: https, a loopback address, or the scheme of a program.",
      examples: [["http://127.0.0.1:33418/callback"]],
    }),
});

/** Registers an app (RFC 7591). Anybody may: people decide what it may do. */
export const registerApp = externalMutation("oauth.register", Registration)
  .meta(
    rest("OAuth").post(
      "/oauth/register",
      "Register an app",
      "Registers an app that people can connect, and returns its id. The app has no secret and uses " +
        "PKCE. `POST /oauth/register` does the same in the form of RFC 7591. An app that nobody has " +
        "connected is deleted after a day.",
    ),
  )
  .output(RegisteredApp)
  .mutation(async ({ ctx, input: { name, redirectUris } }) => {
    const refused = redirectUris.findIndex((uri) => !isRedirectUri(uri));
    if (refused !== -1) {
      throw badRequest(
        "invalid_redirect_uri",
        "Must be an https address without a fragment, an http address of localhost, 127.0.0.1 or " +
          "[::1], or an address with the scheme of a program.",
        ["redirectUris", refused],
      );
    }
    const row = { publicId: publicId(), name, redirectUris };
    await ctx.deps.limits.signUp(ctx.requestMetadata.ip, () =>
      ctx.transact(async ({ prisma, now }) => {
        await prisma.app.create({ data: { ...row, clientId: row.publicId, createdAt: now } });
      }),
    );
    return { clientId: row.publicId, name, redirectUris };
  });
