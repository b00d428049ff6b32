import { randomBytes } from "node:crypto";
import { z } from "zod";
import { Decided } from "../../contract/resources/oauth.ts";
import { fingerprint } from "../../kernel/access/credentials.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { grantName } from "./apps.ts";
import { confirmConnection, decisionFields } from "./connect.ts";
import { RequestQuery } from "./describe.ts";
import { findOrFetchApp } from "./document.ts";
import { withParameters } from "./redirect-uris.ts";
import { errorRedirect, isFault, readRequest } from "./request.ts";

/** How long a code is valid, in ms. */
export const codeMs = 60_000;

const Decision = z.strictObject({ request: RequestQuery, ...decisionFields });

/** Allows or denies what an app asks for. Only a person who is signed in decides. */
export const decideRequest = externalMutation("oauth.decide", Decision, { callsOut: true })
  .meta(
    rest("OAuth").post(
      "/oauth/decide",
      "Answer an app's request",
      "Connects an app to the caller's account, or refuses it, and returns where to send the " +
        "browser. The app never may do more than the caller at the time of a call. To allow " +
        "everything, instead of one workspace or board, requires the account's password. " +
        "The owner is notified by mail. `auth.revokeApiKey` disconnects it.",
    ),
  )
  .output(Decided)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    const request = await readRequest(input.request, deps.baseUrl, (id) => findOrFetchApp(ctx, id));
    const { app, asked, redirectUri, state } = request;
    if (isFault(asked)) return { redirectTo: errorRedirect(request, asked, deps) };
    if (!input.allow) {
      const denied = { error: "access_denied", description: "The person refused." };
      return { redirectTo: errorRedirect(request, denied, deps) };
    }
    const connect = await confirmConnection(ctx, input);
    const code = randomBytes(32).toString("base64url");
    await ctx.transact(async (tx) => {
      const expiresAt = new Date(tx.now.getTime() + codeMs);
      const grant = { appId: app.id, name: grantName(app), target: asked, expiresAt };
      const keyId = await connect(tx, grant);
      const { challenge } = asked;
      const data = { keyId, codeHash: fingerprint(code), redirectUri, challenge, expiresAt };
      await tx.prisma.appCode.create({ data });
    });
    return { redirectTo: withParameters(redirectUri, { code, state, iss: deps.baseUrl }) };
  });
