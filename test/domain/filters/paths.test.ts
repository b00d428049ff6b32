import { describe, expect, test } from "vitest";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { theDocument } from "../../support/answers.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";

const app = useApp();
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

type Place = { name: string; method: "get" | "post" | "put"; route: string; path: string[] };

/** Everywhere that a filter of cards is accepted. */
const places = routesOf(appRouter).flatMap(({ operation: name, method, path: route }): Place[] => {
  const lower = method.toLowerCase();
  const described: Any = document.paths[route]?.[lower];
  const isFilter = ({ schema }: Any) => schema["x-also-accepts"] === "CardFilter";
  const parameters = (described?.parameters ?? [])
    .map((one: Any) => document.components.parameters[nameOf(one)] ?? one)
    .filter(isFilter);
  const body = described?.requestBody?.content["application/json"]?.schema ?? {};
  const paths = [...parameters.map((one: Any) => [one.name]), ...filtersIn(body)];
  return paths.map((path) => ({ name, method: lower as Place["method"], route, path }));
});

/** What operations need beside the filter. */
const needed: Record<string, object> = {
  "card.bulkUpdate": { set: { isComplete: true } },
  "view.create": { name: "View" },
  "workspace.search": { query: "card" },
};

test("filters are accepted in many places", () => {
  expect(places.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["board.cards", "board.queryCards", "card.bulkUpdate", "view.update"]),
  );
});

describe.each(places.map((place) => [place.name, place] as const))(
  "a filter that %s refuses",
  (name, { method, route, path }) => {
    test("is reported with the path of its condition", async () => {
      const workspace = await makeWorkspace(app());
      const { rest } = workspace.admin;
      const board = await makeBoard(workspace);
      const fields = `/boards/${board.publicId}/fields`;
      const field = (await rest.post(fields, { name: "Size", type: "number" })).body;
      const views = `/workspaces/${workspace.publicId}/views`;
      const view = route.includes("view") ? (await rest.post(views, { name: "View" })).body : {};
      const url = route
        .replace("{boardPublicId}", board.publicId)
        .replace("{workspacePublicId}", workspace.publicId)
        .replace("{viewPublicId}", view.publicId);
      for (const wrong of [
        { field: "isComplete", op: "is", value: "yes" },
        { field: `fields.${field.publicId}`, op: "is", value: "three" },
      ]) {
        const filter = { and: [{ not: { field: "title", op: "isEmpty" } }, { or: [wrong] }] };
        const given = { ...needed[name] };
        const input = {
          ...given,
          ...path.reduceRight<object>((inner, step) => ({ [step]: inner }), filter),
        };
        const query = new URLSearchParams({ ...given, [path[0] ?? ""]: JSON.stringify(filter) });
        const reply =
          method === "get"
            ? await rest.get(`${url}?${query.toString()}`)
            : await rest[method](url, input);
        const at = [...path, "and", 1, "or", 0, "value"];
        expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: at }] } });
      }
    });
  },
);
