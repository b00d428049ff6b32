import { oneApiOf, operations } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import { testForeignIds } from "./foreign-ids.ts";
import { representatives } from "./representatives.ts";

// One persona of each class that the operation allows, over one API. foreign-ids-*.long.test.ts has all.
testForeignIds(operations, {
  choose: (personas, operation) =>
    representatives(personas, operation).filter(
      ({ membership }) => expectedStatus(operation, membership) === 200,
    ),
  openApis: oneApiOf,
  atLeast: 500,
});
