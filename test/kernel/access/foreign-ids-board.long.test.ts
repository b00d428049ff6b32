import { operationsOf } from "./groups.ts";
import { testForeignIds } from "./foreign-ids.ts";

testForeignIds(operationsOf("board"), { atLeast: 500 });
