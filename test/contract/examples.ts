import { createDocument } from "../../src/api/openapi/document.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";

type Any = any;

/** The document, whose examples are tried. */
export const document: Any = createDocument(appRouter, "http://127.0.0.1:3000");

/** Every operation: its name, its route, and what the document says of it. */
export const routes = routesOf(appRouter).map((route): [string, typeof route, Any] => [
  route.name,
  route,
  document.paths[route.path][route.method.toLowerCase()],
]);

/** The fields of a JSON body's example; none where it is something else. */
export const bodyOf = ({ requestBody }: Any): Record<string, unknown> =>
  requestBody?.content["application/json"]?.example ?? {};

/** The fields of an operation's example, from path, query and body together. */
export const inputOf = (operation: Any): Record<string, unknown> => ({
  ...Object.fromEntries(
    operation.parameters
      .filter((one: Any) => one.example !== undefined)
      .map((one: Any) => [one.name, one.example]),
  ),
  ...bodyOf(operation),
});

/** The input of one operation's example. */
export const exampleOf = (name: string) =>
  inputOf(routes.find(([one]) => one === name)?.[2] ?? { parameters: [] });
