import { operationsOf } from "./groups.ts";
import { testProbe } from "./probe.ts";

testProbe(operationsOf("people"), { atLeast: 500 });
