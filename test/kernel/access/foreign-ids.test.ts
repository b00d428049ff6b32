import { ruleOf } from "../../../src/contract/policy.ts";
import { oneApiOf, operations } from "./call.ts";
import { expectedStatus } from "./expected.ts";
import { testForeignIds } from "./foreign-ids.ts";
import { representatives } from "./representatives.ts";

// One actor of each class that the operation allows, over one API. No id is foreign to an operator.
// One of the others calls those operations. foreign-ids-*.long.test.ts has all.
testForeignIds(operations, {
  choose: (actors, operation) =>
    representatives(actors, operation).filter(
      ({ membership }) =>
        ruleOf(operation).on === "operator" || expectedStatus(operation, membership) === 200,
    ),
  openApis: oneApiOf,
  atLeast: 500,
});
