import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { theDocument } from "../../support/responses.ts";
import type { As } from "../../support/as.ts";

type Any = any;
const document: Any = theDocument();

const nameOf = (schema: Any): string => String(schema?.$ref ?? "").replace(/.*\//, "");

/** The paths of the filters in a body. */
function filtersIn(schema: Any, path: string[] = []): string[][] {
  if (nameOf(schema) === "CardFilter") return [path];
  const { properties = {}, anyOf = [] } = document.components.schemas[nameOf(schema)] ?? schema;
  return [
    ...anyOf.flatMap((one: Any) => filtersIn(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) => filtersIn(one, [...path, name])),
  ];
}

/** An input of an operation that is a filter of cards. */
export type Place = { name: string; method: "get" | "post" | "put"; route: string; path: string[] };

/** Everywhere that a filter of cards is accepted. */
export const places = routesOf(appRouter).flatMap(
  ({ operation: name, method, path: route }): Place[] => {
    const lower = method.toLowerCase();
    const described: Any = document.paths[route]?.[lower];
    const isFilter = ({ schema }: Any) => schema["x-also-accepts"] === "CardFilter";
    const parameters = (described?.parameters ?? [])
      .map((one: Any) => document.components.parameters[nameOf(one)] ?? one)
      .filter(isFilter);
    const body = described?.requestBody?.content["application/json"]?.schema ?? {};
    const paths = [...parameters.map((one: Any) => [one.name]), ...filtersIn(body)];
    return paths.map((path) => ({ name, method: lower as Place["method"], route, path }));
  },
);

/** What operations need beside the filter. */
const needed: Record<string, object> = {
  "board.groups": { groupBy: "list" },
  "card.bulkUpdate": { set: { isComplete: true } },
  "view.create": { name: "View" },
  "workspace.search": { query: "card" },
};

/** Calls an operation with a filter. `ids` are those of its path: a board, a workspace, a view. */
export function callWith(
  { rest }: Pick<As, "rest">,
  { name, method, route, path }: Place,
  ids: Record<"boardPublicId" | "workspacePublicId" | "viewPublicId", string>,
  filter: FilterTree,
) {
  const url = Object.entries(ids).reduce(
    (all, [id, value]) => all.replace(`{${id}}`, value),
    route,
  );
  const given = { ...needed[name] };
  const nested = path.reduceRight<object>((inner, step) => ({ [step]: inner }), filter);
  const query = new URLSearchParams({ ...given, [path[0] ?? ""]: JSON.stringify(filter) });
  return method === "get"
    ? rest.get(`${url}?${query.toString()}`)
    : rest[method](url, { ...given, ...nested });
}
