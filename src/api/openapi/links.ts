import { ruleOf, type Operation } from "../../contract/policy.ts";
import { schemaName, type Schema } from "../../kernel/schemas/schema.ts";
import type { Route } from "../rest/routes.ts";
import { declaredFailures } from "../../contract/interface.ts";

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);

/** The path parameter for the new resource of a create whose id the service chooses. */
const madeByService: { readonly [Name in Operation]?: string } = {
  "auth.createApiKey": "apiKeyPublicId",
  "member.invite": "memberPublicId",
  "invite.createLink": "inviteCode",
  "invite.accept": "memberPublicId",
  "workspace.import": "importPublicId",
  "serviceAccount.create": "memberPublicId",
  "serviceAccount.createKey": "apiKeyPublicId",
  "import.trello": "importPublicId",
  "import.trelloFile": "importPublicId",
  "import.github": "importPublicId",
  "import.planka": "importPublicId",
  "import.kan": "importPublicId",
  "import.csv": "importPublicId",
};

/** Operations on a new resource whose path names only its parent. */
const operationsOfParent: { readonly [Name in Operation]?: readonly Operation[] } = {
  "invite.createLink": ["invite.getLink", "invite.deactivateLink"],
};

function newIdOf(operation: Operation): string | undefined {
  const rule = ruleOf(operation);
  const kind = "creates" in rule ? rule.creates : undefined;
  return kind === undefined ? madeByService[operation] : `${kind}PublicId`;
}

/**
 * The links of a create: the operations on the new resource whose path its request and its
 * response fill.
 */
export function linksOf(
  create: Route,
  routes: readonly Route[],
  output: Schema,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, object> {
  const newId = newIdOf(create.operation);
  if (newId === undefined || create.operation in declaredFailures) return {};
  const { properties = {} } =
    output.$ref === undefined ? output : (schemas[schemaName(output.$ref)] ?? {});
  const inPath = idsIn(create.path);
  const valueOf = (id: string) => {
    if (id === newId) return `$response.body#/${id in properties ? id : "publicId"}`;
    if (id in properties) return `$response.body#/${id}`;
    if (inPath.includes(id)) return `$request.path.${id}`;
    return id in create.schema.shape ? `$request.body#/${id}` : undefined;
  };
  const linked = routes.flatMap(({ operation, path }) => {
    const ids = idsIn(path);
    const values = ids.flatMap((id) => valueOf(id) ?? []);
    const isOnNew =
      ids.includes(newId) || operationsOfParent[create.operation]?.includes(operation) === true;
    // Who creates something is no operator.
    if (!isOnNew || values.length < ids.length || ruleOf(operation).on === "operator") return [];
    const parameters = Object.fromEntries(ids.map((id, index) => [id, values[index]]));
    return [[operation, { operationId: operation, parameters }] as const];
  });
  return Object.fromEntries(linked);
}
