import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { fingerprint, requireCredential } from "../../kernel/access/credentials.ts";
import { badRequest } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { setNonce } from "./nonce.ts";
import { createPkce, githubAuthorizeUrl } from "./github/oauth.ts";
import { callbackUrl, githubApp, newState, notConfigured, sealStart, stateMs } from "./state.ts";
import { joinUrl } from "../../platform/http/third-party.ts";
import { isAllowedReturn } from "../../domain/sign-in/return-url.ts";

const Start = z.strictObject({
  provider: z
    .enum(["github", "trello"])
    .default("github")
    .meta({ description: "The service to connect to." }),
  returnUrl: z
    .url()
    .max(2048)
    .meta({
      description:
        "Where the browser goes afterwards, with a `result` for `integration.complete`. It must " +
        "start with a URL in the setting `RETURN_URLS`.",
    })
    .optional(),
});
const Authorization = z
  .object({
    url: z.string().meta({
      description: "The address at the service where the user authorizes the connection.",
      examples: [
        "https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&state=k9",
      ],
    }),
  })
  .meta({ id: "Authorization", description: "The URL at which the user authorizes a connection." });

/** Returns the URL at which the caller authorizes a connection to another service. */
export const authorizeConnection = mutation("integration.authorize", Start)
  .meta(
    rest("Integrations").get(
      "/integration/authorize",
      "Connect another service",
      "Starts a connection to another service and returns the URL where the user authorizes it. " +
        "The URL works once, within ten minutes, while the credential of this call is valid. " +
        "With a `returnUrl`, finish with `integration.complete`. Without one the response sets " +
        "a cookie, and the same browser must open the URL.",
    ),
  )
  .output(Authorization)
  .mutation(async ({ ctx, input: { provider, returnUrl } }) => {
    const { caller, deps, tx } = ctx;
    await requireVerifiedEmail(deps.config, tx.prisma, caller.userId);
    const { RETURN_URLS, TRELLO_API_KEY, TRELLO_URL } = deps.config;
    if (returnUrl !== undefined && !isAllowedReturn(returnUrl, RETURN_URLS)) {
      throw badRequest("return_url_refused", "The server does not allow this returnUrl.", [
        "returnUrl",
      ]);
    }
    if (provider === "trello") {
      if (TRELLO_API_KEY === undefined) throw notConfigured("Trello");
      const app = { url: TRELLO_URL, apiKey: TRELLO_API_KEY };
      const back = returnUrl === undefined ? {} : { returnUrl };
      return { url: trelloAuthorizeUrl(app, { name: "Workspace Board Service", ...back }) };
    }
    const app = githubApp(deps);
    const state = newState();
    const { verifier, challenge } = createPkce();
    await tx.prisma.oauthState.create({
      data: {
        userId: caller.userId,
        provider,
        stateHash: fingerprint(state),
        codeVerifier: sealStart(deps.seal, { verifier, credential: requireCredential(ctx) }),
        returnUrl: returnUrl ?? null,
        sessionId: caller.sessionId,
        nonceHash: returnUrl === undefined ? setNonce(ctx) : null,
        createdAt: tx.now,
        expiresAt: new Date(tx.now.getTime() + stateMs),
      },
    });
    return {
      url: githubAuthorizeUrl(app, { redirectUri: callbackUrl(deps, provider), state, challenge }),
    };
  });

/** How long a Trello token lasts. */
type TrelloExpiration = "1hour" | "1day" | "30days" | "never";

/** Where a user makes a read-only token for our key (`TRELLO_URL`, `TRELLO_API_KEY`). */
type TrelloApp = { url: string; apiKey: string };

/**
 * The address at which a user allows reading. Trello sends them to `returnUrl` with `#token=…`
 * (an origin that the key's
 * Power-Up allows); without one it shows the token. The default is a day: an import needs no more.
 */
export function trelloAuthorizeUrl(
  app: TrelloApp,
  request: { name: string; returnUrl?: string; expiration?: TrelloExpiration },
): string {
  const query = new URLSearchParams({
    expiration: request.expiration ?? "1day",
    name: request.name,
    scope: "read",
    response_type: "token",
    key: app.apiKey,
  });
  if (request.returnUrl !== undefined) {
    query.set("return_url", request.returnUrl);
    query.set("callback_method", "fragment");
  }
  return joinUrl(app.url, `/1/authorize?${query.toString()}`);
}
