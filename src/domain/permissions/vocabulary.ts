import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { permissions, systemRoles } from "../../contract/vocabulary/permissions.ts";
import { needOf, policy, ruleOf, viewsOf, type Operation } from "../../contract/policy.ts";
import { rest } from "../../kernel/request/rest.ts";

const Vocabulary = z
  .object({
    permissions: z.array(z.string()),
    roles: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        hierarchyLevel: z.int(),
        permissions: z.array(z.string()),
      }),
    ),
    operations: z.array(
      z.object({
        name: z.string(),
        method: z.string(),
        path: z.string(),
        needs: z.string(),
        orCreator: z.boolean(),
        views: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "Vocabulary" });

/** Returns all permissions, the system roles, and the permission of each operation. */
export const vocabulary = query("permission.vocabulary")
  .meta(
    rest("Permissions").get(
      "/permissions",
      "List permissions and operations",
      "Returns every permission, the system roles, and every operation with its method, path and " +
        "what it requires. `needs` is a permission, `member`, `self` (any credential), " +
        "`operator` (the admin key) or `public`. `views` are permissions that the response " +
        "requires as well.",
    ),
  )
  .output(Vocabulary)
  .query(async ({ ctx: { deps } }) => ({
    permissions: [...permissions],
    roles: Object.entries(systemRoles).map(([name, { level, description, permissions: held }]) => ({
      name,
      description,
      hierarchyLevel: level,
      permissions: [...held],
    })),
    operations: deps.operations().map(({ name, method, path }) => ({
      name,
      method,
      path,
      ...needs(name),
    })),
  }));

const isOperation = (name: string): name is Operation => Object.hasOwn(policy, name);

function needs(name: string) {
  if (!isOperation(name)) throw new Error(`${name} has no row in the policy.`);
  const rule = ruleOf(name);
  return { needs: needOf(rule), orCreator: "orCreator" in rule, views: [...viewsOf(rule)] };
}
