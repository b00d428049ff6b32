import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { Failure } from "../../platform/errors.ts";
import { resolveMemberships, type Target } from "./resolve-target.ts";
import { authorizeMember, credentialExpired, type Membership } from "./authorize.ts";
import { ruleOf, type Operation } from "../../contract/policy.ts";

/** The owner of a credential, with the membership of a workspace, which may be deleted. */
export type CallerMembership = {
  caller: Target["caller"];
  membership: Membership;
  isDeleted: boolean;
};

/**
 * The current memberships of many callers of an operation, in one statement per kind of credential.
 *
 * A caller without access gets the 401 or 403 that a new call would get.
 */
export async function membershipsIn(
  query: Query,
  workspaceId: bigint,
  operation: Operation,
  credentials: Iterable<Credential>,
  now: Date,
): Promise<(credential: Credential) => CallerMembership | Failure> {
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
      ? new Map<string, Target>()
      : resolveMemberships(query, kind, [...ids[kind]], now, workspaceId);
  const known = {
    session: await found("session"),
    apiKey: await found("apiKey"),
    issuer: await found("issuer"),
  };
  const results = new Map<Target, CallerMembership | Failure>();
  return ({ kind, id }) => {
    const one = known[kind].get(id);
    if (one === undefined) return credentialExpired();
    const result = results.get(one) ?? membershipOf(rule, one);
    results.set(one, result);
    return result;
  };
}

function membershipOf(
  rule: Parameters<typeof authorizeMember>[0],
  found: Target,
): CallerMembership | Failure {
  try {
    const isDeleted = found.resources["workspace"]?.["deletedAt"] !== null;
    return { caller: found.caller, membership: authorizeMember(rule, found, false), isDeleted };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
