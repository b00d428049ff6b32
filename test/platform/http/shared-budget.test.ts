import { expect, test } from "vitest";
import { SharedBudget } from "../../../src/platform/http/shared-budget.ts";

/** Takes bytes for clients; returns which of them were refused, in order. */
function taking(budget: SharedBudget) {
  const refused: string[] = [];
  const take = (client: string, bytes: number, name = client) =>
    budget.take(client, bytes, () => refused.push(name));
  return { refused, take };
}

test("the client with the most bytes loses its oldest body", () => {
  const { refused, take } = taking(new SharedBudget(10));
  take("one", 4, "one's first");
  take("one", 4, "one's second");
  take("two", 3);
  expect(refused).toEqual(["one's first"]);
});

test("a client that exceeds the memory alone is refused", () => {
  const { refused, take } = taking(new SharedBudget(10));
  take("one", 2);
  take("two", 11);
  expect(refused).toEqual(["two"]);
});

test("many clients with a body each leave the memory to a smaller one", () => {
  const { refused, take } = taking(new SharedBudget(10));
  for (let nth = 0; nth < 5; nth++) take(`large ${nth}`, 2);
  take("small", 1);
  expect(refused).toEqual(["large 0"]);
});

test("the memory of a body is free after its end", () => {
  const { refused, take } = taking(new SharedBudget(10));
  for (let nth = 0; nth < 100; nth++) take("one", 10)();
  const release = take("one", 10, "first");
  take("two", 1);
  // Its memory is free already.
  release();
  take("three", 9);
  expect(refused).toEqual(["first"]);
});
