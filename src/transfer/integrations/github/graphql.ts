import { z } from "zod";
import { badGateway } from "../../../platform/errors.ts";
import { declareAnswers } from "../../../platform/http/answer-shapes.ts";
import { readWrapped } from "../../../platform/http/answers.ts";
import { createThirdPartyClient, joinUrl } from "../../../platform/http/third-party.ts";
import { accept, type GitHubApi, limited, missingScopes, mentionsLimit } from "./answer.ts";

/** Sends one GraphQL query; null when GitHub denies all of it, throws 403, 429 or 502. */
export type GraphqlClient = <T>(
  query: string,
  variables: Record<string, string | null>,
  data: z.ZodType<T>,
) => Promise<T | null>;

const Fault = z.object({ type: z.string().nullish(), message: z.string().nullish() });
export const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.array(Fault).nullish(),
});
declareAnswers(import.meta.url, { Envelope });

const maxRequests = 100;

/**
 * The address of GraphQL for `GITHUB_API_URL`: `/graphql` on api.github.com and GHE.com,
 * `/api/graphql` beside an Enterprise Server's `/api/v3`.
 */
export function graphqlUrl(apiUrl: string): string {
  return joinUrl(apiUrl, "/graphql").replace(/\/api\/v3\/graphql$/, "/api/graphql");
}

/**
 * Starts a series of GraphQL requests with one token: at most 100 of them, under one deadline,
 * one after the other.
 */
export function createGraphqlClient(api: GitHubApi, token: string): GraphqlClient {
  const call = createThirdPartyClient("GitHub", api.limits);
  let requests = 0;
  return async (query, variables, schema) => {
    requests += 1;
    if (requests > maxRequests)
      throw badGateway("provider_failed", "GitHub has more pages than can be read at once.");
    const answer = await call(graphqlUrl(api.apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    const envelope = { shape: Envelope, part: "data" };
    const received = accept(answer);
    const { around, isNull, data } = await readWrapped(
      received,
      schema,
      envelope,
      api.limits?.signal,
    );
    for (const fault of around.errors ?? []) tolerate(fault, answer.headers);
    if (isNull && around.errors?.length) return null;
    return data();
  };
}

// Denied parts are null in the data beside them: an organisation behind SAML, an IP list or a
// ban of OAuth apps is one.
const denials = new Set(["FORBIDDEN", "NOT_FOUND"]);
const limits = new Set(["RATE_LIMITED", "RATE_LIMIT"]);

function tolerate({ type, message }: z.infer<typeof Fault>, headers: Headers): void {
  if (limits.has(type ?? "") || mentionsLimit(message ?? "")) throw limited(headers);
  if (type === "INSUFFICIENT_SCOPES") throw missingScopes();
  if (!denials.has(type ?? ""))
    throw badGateway("provider_failed", "GitHub could not run the query.");
}
