import { z } from "zod";
import { SignInProviderInfo } from "../../contract/resources/sign-in.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the providers through which people sign in. */
export const listSignInProviders = query("signIn.providers")
  .meta(
    rest("Auth").get(
      "/sign-in/providers",
      "List the providers of sign-in",
      "Returns the providers that the operator has configured, in their order.",
    ),
  )
  .output(z.array(SignInProviderInfo))
  .query(async ({ ctx: { deps } }) =>
    deps.config.SIGN_IN_PROVIDERS.map(({ id, name }) => ({ id, name })),
  );
