import { z } from "zod";
import { HierarchyLevel, Permissions, RoleName } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { permissions, systemRoles } from "../../contract/vocabulary/permissions.ts";
import { needOf, policy, ruleOf, viewsOf, type Operation } from "../../contract/policy.ts";
import { rest } from "../../kernel/request/rest.ts";

const Vocabulary = z
  .object({
    permissions: Permissions,
    roles: z
      .array(
        z.object({
          name: RoleName,
          description: z.string().meta({
            description: "The description, in Markdown. Null if there is none.",
            examples: ["Reads and comments"],
          }),
          hierarchyLevel: HierarchyLevel,
          permissions: Permissions,
        }),
      )
      .meta({ description: "The roles." }),
    operations: z
      .array(
        z.object({
          name: z.string().meta({
            description: "The name of the operation, such as `card.update`.",
            examples: ["list.create"],
          }),
          method: z.string().meta({ description: "The HTTP method.", examples: ["POST"] }),
          path: z.string().meta({ description: "The path below `/api/v1`.", examples: ["/lists"] }),
          needs: z.string().meta({
            description: "The required permission, `member`, `self`, `operator` or `public`.",
            examples: ["list:create"],
          }),
          orCreator: z
            .boolean()
            .meta({ description: "Whether the creator of the target may call it too." }),
          views: z.array(z.string()).meta({
            description: "The permissions that the response requires as well.",
            examples: [["card:view"]],
          }),
        }),
      )
      .meta({ description: "The operations with their permissions." }),
  })
  .meta({
    id: "Vocabulary",
    description: "The permissions, the system roles, and the permission of each operation.",
  });

/** Returns all permissions, the system roles, and the permission of each operation. */
export const vocabulary = query("permission.vocabulary")
  .meta(
    rest("Permissions").get(
      "/permissions",
      "List permissions and operations",
      "Returns every permission, the system roles, and every operation with its method, path and " +
        "what it requires. `needs` is a permission, `member`, `self` (any credential), " +
        "`operator` (the admin key, or an operator's account) or `public`. `views` are permissions " +
        "that the response " +
        "requires as well.",
    ),
  )
  .output(Vocabulary)
  .query(async ({ ctx: { deps } }) => ({
    permissions: [...permissions],
    roles: Object.entries(systemRoles).map(
      ([name, { level, description, permissions: rolePermissions }]) => ({
        name,
        description,
        hierarchyLevel: level,
        permissions: [...rolePermissions],
      }),
    ),
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
