import { operationsOf } from "./groups.ts";
import { testProbe } from "./probe.ts";

testProbe(operationsOf("account"), { atLeast: 500 });
