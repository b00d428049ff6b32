import { testHidden } from "./hidden.ts";

// One actor of each operation, in turn. hidden.long.test.ts has all.
testHidden((actors, operation) => {
  const turn = operation.length % actors.length;
  return actors.slice(turn, turn + 1);
});
