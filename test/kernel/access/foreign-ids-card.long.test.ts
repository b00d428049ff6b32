import { operationsOf } from "./groups.ts";
import { testForeignIds } from "./foreign-ids.ts";

testForeignIds(operationsOf("card"), { atLeast: 500 });
