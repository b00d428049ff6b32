import { z } from "zod";
import { StartedSignIn } from "../../contract/resources/sign-in.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest } from "../../platform/errors.ts";
import { newChecks } from "./checks.ts";
import { providerOf, urlAt } from "./providers.ts";
import { isAllowedReturn } from "./return-url.ts";
import { saveStart } from "./state.ts";

const Start = z.strictObject({
  provider: z
    .string()
    .min(1)
    .max(32)
    .meta({
      description: "The provider, as `signIn.providers` names it.",
      examples: ["github"],
    }),
  returnUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .meta({
      description:
        "Where the browser goes afterwards, with a `result` for `signIn.finish`, or with an " +
        "`error`. A page of this service, or one that starts with a URL in the setting `RETURN_URLS`.",
      examples: ["https://app.example.com/signed-in"],
    }),
});

/** Whether the browser may return to an address: here, or to a frontend of the operator's. */
const isOurs = (returnUrl: string, { baseUrl, config }: Deps) =>
  isAllowedReturn(returnUrl, [baseUrl, ...config.RETURN_URLS]);

/** Begins a sign-in through a provider. */
export const startSignIn = externalMutation("signIn.start", Start, { callsOut: true })
  .meta(
    rest("Auth").post(
      "/sign-in/start",
      "Begin a sign-in through a provider",
      "Returns the page of the provider where the person signs in, and a secret that stays in the " +
        "page that began. The browser comes back to `returnUrl` with a one-time `result`: " +
        "`signIn.finish` takes both.",
      { errors: ["NOT_FOUND", "BAD_GATEWAY"] },
    ),
  )
  .output(StartedSignIn)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    const provider = providerOf(deps, input.provider);
    if (!isOurs(input.returnUrl, deps)) {
      throw badRequest("return_url_refused", "The server does not allow this returnUrl.", [
        "returnUrl",
      ]);
    }
    const checks = newChecks();
    const begun = { provider: provider.id, checks, returnUrl: input.returnUrl };
    // Anyone may begin, and each one is stored for ten minutes.
    return deps.limits.signUp(ctx.requestMetadata.ip, async () => {
      const url = await urlAt(provider, checks, deps);
      const secret = await ctx.transact((tx) => saveStart(tx, deps.seal, begun));
      return { url, secret };
    });
  });
