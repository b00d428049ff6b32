import { ruleOf, type Operation, type Rule } from "../../../src/contract/policy.ts";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import { setDeleted } from "../../support/rows.ts";
import type { Input } from "./call.ts";
import { removeMember } from "./membership.ts";
import type { World } from "./world.ts";

/** Deletes the target of an operation; the returned function restores it, where that is possible. */
export async function deleteTarget(
  { app, fixtures }: World,
  name: Operation,
  input: Input,
): Promise<() => Promise<unknown>> {
  const rule: Rule = ruleOf(name);
  if (!("needs" in rule)) throw new Error(`${name} has no target.`);
  const { on } = rule;
  const id = String(input[`${on}PublicId`]);
  const { table, isNeverDeleted } = tableOf(on);
  if (!isNeverDeleted) {
    await setDeleted(app, table, id, app.deps.clock());
    return () => setDeleted(app, table, id, null);
  }
  if (on === "member") await removeMember(app, id);
  if (on === "role") {
    const { admin, workspace } = fixtures;
    const path = `/workspaces/${workspace.publicId}/roles/${id}`;
    await admin.rest.delete(path, { moveMembersTo: workspace.roles.guest });
  }
  return () => Promise.resolve();
}
