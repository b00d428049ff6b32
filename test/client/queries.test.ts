import { expect, test } from "vitest";
import { appRouter } from "../../src/app/router/index.ts";
import { queries } from "../../src/client/calls.ts";

type Procedure = { _def: { type: string } };

test("the client knows which operations are queries", () => {
  const procedures = appRouter._def.procedures as object as Record<string, Procedure>;
  const names = Object.entries(procedures)
    .filter(([, { _def }]) => _def.type === "query")
    .map(([name]) => name);
  expect([...queries].toSorted()).toEqual(names.toSorted());
});
