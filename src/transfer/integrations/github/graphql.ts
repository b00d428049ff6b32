import { z } from "zod";
import { badGateway } from "../../../platform/errors.ts";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { readWrapped } from "../../../platform/http/responses.ts";
import { createThirdPartyClient, joinUrl } from "../../../platform/http/third-party.ts";
import { accept, type GitHubApi, limited, missingScopes, mentionsLimit } from "./response.ts";

/** Sends one GraphQL query; null when GitHub denies all of it, throws 403, 429 or 502. */
export type GraphqlClient = <T>(
  query: string,
  variables: Record<string, string | null>,
  data: z.ZodType<T>,
  options?: GraphqlOptions,
) => Promise<T | null>;

/** Whether the query names fields that an older server may lack: then `UnknownField` is thrown. */
export type GraphqlOptions = { mayLackFields?: boolean };

/** The server does not know a field of the query. */
export class UnknownField extends Error {}

const Fault = z.object({ type: z.string().nullish(), message: z.string().nullish() });
export const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.array(Fault).nullish(),
});
declareResponses(import.meta.url, { Envelope });

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
  return async (query, variables, schema, { mayLackFields = false } = {}) => {
    requests += 1;
    if (requests > maxRequests)
      throw badGateway("provider_failed", "GitHub has more pages than can be read at once.");
    const response = await call(graphqlUrl(api.apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: { query, variables },
    });
    const envelope = { shape: Envelope, part: "data" };
    const received = accept(response);
    const { around, isNull, data } = await readWrapped(
      received,
      schema,
      envelope,
      api.limits?.signal,
    );
    const faults = around.errors ?? [];
    if (mayLackFields && faults.some(({ message }) => /doesn't exist on type/.test(message ?? "")))
      throw new UnknownField("GitHub lacks a field of the query.");
    for (const fault of faults) tolerate(fault, response.headers);
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
