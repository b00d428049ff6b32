import { z } from "zod";
import { GrantTokens } from "../../contract/resources/oauth.ts";
import { text } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest } from "../../platform/errors.ts";
import { deviceGrantType } from "./device-codes.ts";
import { exchangeCode } from "./exchange-code.ts";
import { exchangeDevice } from "./exchange-device.ts";
import { grantTokens, invalidGrant, requireApp } from "./grants.ts";
import { maxUriLength } from "./redirect-uris.ts";
import { refreshGrant } from "./refresh-grant.ts";

const optional = (max: number, description: string, example: string) =>
  text(1, max)
    .meta({ description, examples: [example] })
    .optional();

/** The `client_id` that an app sends. */
export const ClientId = text(1, maxUriLength).meta({
  description: "The id of the app.",
  examples: ["a4p8p2c6l1n5"],
});
/** The scopes that an app sends. */
export const Scope = (description: string) => optional(1_000, description, "boards:read");
/** The resource that an app sends. */
export const Resource = (description: string) =>
  optional(maxUriLength, description, "https://boards.example.com/mcp");

/** What an app sends for tokens. */
export const TokenRequest = z.strictObject({
  grantType: text(1, 100).meta({
    description: `\`authorization_code\`, \`refresh_token\` or \`${deviceGrantType}\`.`,
    examples: ["authorization_code"],
  }),
  clientId: ClientId,
  code: optional(255, "The code that the browser brought.", "the-code"),
  redirectUri: optional(
    maxUriLength,
    "Where the browser brought it.",
    "http://127.0.0.1:33418/callback",
  ),
  codeVerifier: optional(
    255,
    "The verifier of PKCE: 43 to 128 characters.",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  ),
  refreshToken: optional(255, "The refresh token.", "the-refresh-token"),
  deviceCode: optional(255, "The code that the program polls with.", "the-device-code"),
  scope: Scope("Not more than was granted."),
  resource: Resource("The resource that was granted."),
});

/** Exchanges a code or a refresh token of an app for tokens. */
export const issueGrantTokens = externalMutation("oauth.token", TokenRequest)
  .meta(
    rest("OAuth").post(
      "/oauth/token",
      "Get tokens of an app",
      "Exchanges a code, or a refresh token, for tokens. `POST /oauth/token` does the same in the " +
        "form of RFC 6749. A code works once, within one minute. A refresh token works once; using " +
        "it again within two minutes returns the newest tokens. Any other second use of either " +
        "disconnects the app. A program without a browser polls with its device code: it gets 400 " +
        "until the person has decided.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(GrantTokens)
  .mutation(async ({ ctx, input }) => {
    const step = steps.get(input.grantType);
    if (step === undefined) {
      const message = `grant_type must be one of ${[...steps.keys()].join(", ")}.`;
      throw badRequest("unsupported_grant_type", message, ["grantType"]);
    }
    // Errors are thrown after the transaction, so that the end of a grant, or a poll, is committed.
    const issued = await ctx.deps.limits.exchange(ctx.requestMetadata.ip, () =>
      ctx.transact(async (tx) => {
        await requireApp(tx, input.clientId);
        return step(tx, ctx, input);
      }),
    );
    if ("code" in issued) throw badRequest(issued.code, issued.message);
    const { grant, refreshToken } = issued;
    if (refreshToken !== undefined) return grantTokens(ctx, grant, refreshToken);
    ctx.deps.log.warn(
      { grant: grant.grant, ip: ctx.requestMetadata.ip },
      "app disconnected: its code or refresh token was used twice",
    );
    throw invalidGrant("The code or refresh token was already used. The app was disconnected.");
  });

const steps = new Map<string, typeof exchangeCode>([
  ["authorization_code", exchangeCode],
  ["refresh_token", refreshGrant],
  [deviceGrantType, exchangeDevice],
]);
