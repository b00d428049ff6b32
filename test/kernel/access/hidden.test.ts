import { testHidden } from "./hidden.ts";

// One persona of each operation, in turn. hidden.long.test.ts has all.
testHidden((personas, operation) => {
  const turn = operation.length % personas.length;
  return personas.slice(turn, turn + 1);
});
