import { ruleOf } from "../../contract/policy.ts";
import { nameOf, type Schema } from "../../kernel/schemas/schema.ts";
import type { Route } from "../rest/routes.ts";
import { declaredFailures } from "./failures.ts";

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);

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
  const rule = ruleOf(create.operation);
  if (!("creates" in rule) || rule.creates === undefined) return {};
  if (create.operation in declaredFailures) return {};
  const newId = `${rule.creates}PublicId`;
  const { properties = {} } =
    output.$ref === undefined ? output : (schemas[nameOf(output.$ref)] ?? {});
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
    if (!ids.includes(newId) || values.length < ids.length) return [];
    const parameters = Object.fromEntries(ids.map((id, index) => [id, values[index]]));
    return [[operation, { operationId: operation, parameters }] as const];
  });
  return Object.fromEntries(linked);
}
