import { idsByKind } from "./callers.ts";
import type { Credential } from "./credential.ts";
import type { Query } from "../../platform/db/query.ts";
import { Failure } from "../../platform/errors.ts";
import { resolveMemberships, type Target } from "./resolve-target.ts";
import { authorizeMember, credentialExpired, type Membership } from "./authorize.ts";
import type { FactorSetting } from "./second-factor.ts";
import { ruleOf, type Operation } from "../../contract/policy.ts";
import { getOrInsert } from "../../platform/maps.ts";

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
  { clock, config }: { clock: () => Date; config: FactorSetting },
): Promise<(credential: Credential) => CallerMembership | Failure> {
  const rule = ruleOf(operation);
  if (!("needs" in rule)) throw new Error(`${operation} needs nothing of a workspace.`);
  const targets = new Map<string, Target>();
  for (const [kind, ids] of idsByKind(credentials)) {
    const ofKind = await resolveMemberships(query, kind, ids, clock(), workspaceId);
    for (const [id, target] of ofKind) targets.set(`${kind} ${id}`, target);
  }
  const results = new Map<Target, CallerMembership | Failure>();
  return ({ kind, id }) => {
    const target = targets.get(`${kind} ${id}`);
    if (target === undefined) return credentialExpired();
    return getOrInsert(results, target, () => membershipOf(rule, target, config));
  };
}

function membershipOf(
  rule: Parameters<typeof authorizeMember>[0],
  target: Target,
  setting: FactorSetting,
): CallerMembership | Failure {
  try {
    const isDeleted = target.resources["workspace"]?.["deletedAt"] !== null;
    return {
      caller: target.caller,
      membership: authorizeMember(rule, target, false, setting),
      isDeleted,
    };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
