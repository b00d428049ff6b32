import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { Failure } from "../../platform/errors.ts";
import { locateAll, type Found } from "./resolve-target.ts";
import { allow, spent, type Standing } from "./authorize.ts";
import { ruleOf, type Operation } from "../../contract/policy.ts";

/** Who holds a credential, and what they may do in a workspace, or could if it had not been deleted. */
export type Stand = { caller: Found["caller"]; standing: Standing; isDeleted: boolean };

/** What many who have been permitted an operation on a workspace may do there now, in one statement for each kind of credential: each has a stand, or the 401 or 403 that a new call would get. */
export async function standingsIn(
  query: Query,
  workspaceId: bigint,
  operation: Operation,
  credentials: Iterable<Credential>,
  now: Date,
): Promise<(credential: Credential) => Stand | Failure> {
  const rule = ruleOf(operation);
  if (!("needs" in rule)) throw new Error(`${operation} needs nothing of a workspace.`);
  const ids = {
    session: new Set<string>(),
    apiKey: new Set<string>(),
    issuer: new Set<string>(),
  };
  for (const { kind, id } of credentials) ids[kind].add(id);
  const found = async (kind: Credential["kind"]) =>
    ids[kind].size === 0
      ? new Map<string, Found>()
      : locateAll(query, kind, [...ids[kind]], now, workspaceId);
  const known = {
    session: await found("session"),
    apiKey: await found("apiKey"),
    issuer: await found("issuer"),
  };
  const stands = new Map<Found, Stand | Failure>();
  return ({ kind, id }) => {
    const one = known[kind].get(id);
    if (one === undefined) return spent();
    const stand = stands.get(one) ?? standOf(rule, one);
    stands.set(one, stand);
    return stand;
  };
}

function standOf(rule: Parameters<typeof allow>[0], found: Found): Stand | Failure {
  try {
    const isDeleted = found.things["workspace"]?.["deletedAt"] !== null;
    return { caller: found.caller, standing: allow(rule, found, false), isDeleted };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
