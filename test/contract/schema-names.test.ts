import { expect, test } from "vitest";
import { inputName } from "../../src/api/openapi/name-schemas.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";

type Any = any;
const document: Any = theDocument();

test("each body is named by one rule: the verb, the resource, and the rest of the name", () => {
  expect(inputName("card.create")).toBe("CreateCardInput");
  expect(inputName("auth.login")).toBe("LoginAuthInput");
  expect(inputName("auth.resetPassword")).toBe("ResetAuthPasswordInput");
  expect(inputName("card.addLabel")).toBe("AddCardLabelInput");
  const operations = Object.values<Any>(document.paths).flatMap((methods) =>
    Object.values<Any>(methods),
  );
  const named = operations.flatMap(({ operationId, requestBody }) => {
    const ref: string | undefined = requestBody?.content["application/json"]?.schema.$ref;
    return ref === undefined ? [] : [[operationId, ref.split("/").at(-1)]];
  });
  expect(named.length).toBeGreaterThan(60);
  expect(named).toEqual(named.map(([name]) => [name, inputName(name)]));
});

test("no two operations have one name, and only bodies of operations end in Input", () => {
  const names = routesOf(appRouter).map(({ name }) => inputName(name));
  expect(new Set(names).size).toBe(names.length);
  const inputs = Object.keys(document.components.schemas).filter((name) => name.endsWith("Input"));
  expect(inputs.filter((name) => !names.includes(name))).toEqual([]);
});
