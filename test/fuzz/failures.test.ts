import { expect, test } from "vitest";
import { isFailure } from "./fuzz.ts";
import { operations } from "./operations.ts";

test("502 is a finding, except of the operations that call another service", () => {
  const allowed = operations.filter((operation) => !isFailure(operation, 502));
  expect(allowed.map(({ name }) => name).toSorted()).toEqual([
    "import.kan",
    "import.planka",
    "import.trelloBoards",
    "integration.callback",
    "integration.complete",
    "integration.githubProjects",
    "signIn.start",
  ]);
  expect(operations.filter((operation) => !isFailure(operation, 500))).toEqual([]);
  expect(operations.filter((operation) => isFailure(operation, 499))).toEqual([]);
});
