import { operationsOf } from "./groups.ts";
import { testProbe } from "./probe.ts";

testProbe(operationsOf("card"), { atLeast: 500 });
