import { operationsOf } from "./groups.ts";
import { testProbe } from "./probe.ts";

testProbe(operationsOf("workspace"), { atLeast: 500 });
