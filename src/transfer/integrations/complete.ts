import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { badRequest, forbidden } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Connected, connectAccount } from "./callback.ts";
import { sealedFor, takeResult } from "./state.ts";

const Completion = z.strictObject({
  result: z
    .string()
    .min(1)
    .max(200)
    .meta({
      examples: ["the-result-of-the-callback"],
      description: "The parameter `result` that the callback added to the `returnUrl`.",
    }),
});

/**
 * Finishes a connection whose authorization returned to the app.
 *
 * The result works only for the user and the session that started the connection. Otherwise a link
 * of one user would collect the grant of another user who opens it.
 */
export const complete = externalMutation("integration.complete", Completion, { callsOut: true })
  .meta(
    rest("Integrations").post(
      "/integration/complete",
      "Complete a connection",
      "Completes a connection with the `result` that the callback added to the `returnUrl`. It " +
        "works once, within ten minutes. Returns 403 for anyone but the user and session that " +
        "started the connection.",
      { errors: ["FORBIDDEN", "BAD_GATEWAY"] },
    ),
  )
  .output(Connected)
  .mutation(async ({ ctx: { caller, deps, transact }, input }) => {
    // A result that arrives with the wrong user is used up: its code must not be tried again.
    const authorization = await transact((tx) => takeResult(tx.query, input.result, tx.now));
    if (authorization === undefined) {
      throw badRequest(
        "token_invalid",
        "The one-time result is invalid, has expired or was already used.",
        ["result"],
      );
    }
    const isSameSession = [null, caller.sessionId].includes(authorization.sessionId);
    if (authorization.userId !== caller.userId || !isSameSession) {
      throw forbidden(
        "started_elsewhere",
        "Another user or session started this connection. Start it again.",
      );
    }
    const code = deps.seal.open(sealedFor.code, authorization.code);
    return {
      provider: authorization.provider,
      account: await connectAccount(deps, authorization, code),
    };
  });
