import { operationsOf } from "./groups.ts";
import { testProbe } from "./probe.ts";

testProbe(operationsOf("board"), { atLeast: 500 });
