import type { Deps } from "../../kernel/request/deps.ts";
import type { IdentityClaims } from "../../kernel/access/identity-claims.ts";
import { badGateway, Failure, failure } from "../../platform/errors.ts";
import type { SignInProvider } from "../../platform/sign-in-providers.ts";
import type { Checks } from "./checks.ts";
import { githubProof, githubUrl, reachGithub } from "./github.ts";
import { openIdProof, openIdUrl, readOpenId } from "./openid.ts";

/** The provider with an id; 404 when the operator has not configured it. */
export function providerOf({ config }: Pick<Deps, "config">, id: string): SignInProvider {
  const provider = config.SIGN_IN_PROVIDERS.find((one) => one.id === id);
  if (provider !== undefined) return provider;
  throw failure(
    "provider_not_configured",
    "The operator of this service has not configured this provider of sign-in.",
  );
}

/** Where a provider makes the browser post: REST reads no forms. */
export const formPostPath = (id: string): string => `/sign-in/form/${id}`;

/** Where a provider sends the browser back to. */
export const redirectUriOf = (
  { baseUrl }: Pick<Deps, "baseUrl">,
  { id, kind }: SignInProvider,
): string => `${baseUrl}${kind === "apple" ? formPostPath(id) : `/api/v1/sign-in/callback/${id}`}`;

/** Whether a provider did not answer, according to an error: openid-client wraps ours. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Failure
    ? error.failure === "BAD_GATEWAY"
    : error instanceof Error && isUnreachable(error.cause);

/** What an error says, without what the provider sent: that has codes, tokens and addresses. */
export const reasonOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message.slice(0, 300), ...reasonOf(error.cause)] : [];

/** Where a person signs in; 502 when the provider does not answer, or says what it must not. */
export async function urlAt(provider: SignInProvider, checks: Checks, deps: Deps): Promise<string> {
  const redirectUri = redirectUriOf(deps, provider);
  try {
    return provider.kind === "github"
      ? await githubUrl(provider, { redirectUri, checks })
      : await openIdUrl(provider, { redirectUri, checks, now: deps.clock() });
  } catch (error) {
    deps.log.warn(
      { reason: reasonOf(error), provider: provider.id },
      "a provider of sign-in failed",
    );
    throw isUnreachable(error)
      ? badGateway("provider_unreachable", `${provider.name} does not answer. Try again later.`)
      : badGateway("provider_failed", `${provider.name} sent an invalid response.`);
  }
}

/** Throws why nobody can sign in through a provider, as far as that is seen from here. */
export const examineProvider = (provider: SignInProvider, now: Date): Promise<void> =>
  provider.kind === "github" ? reachGithub(provider) : readOpenId(provider, now);

/** Whom a provider proves. Throws 502, or what is wrong with its answer. */
export const proofOf = (
  provider: SignInProvider,
  returned: URL,
  checks: Checks,
  { clock }: Deps,
): Promise<IdentityClaims | undefined> =>
  provider.kind === "github"
    ? githubProof(provider, { returned, checks })
    : openIdProof(provider, { returned, checks, now: clock() });
