import { operations } from "./call.ts";
import { testProbe } from "./probe.ts";
import { representatives } from "./representatives.ts";

// One persona of each equivalence class. probe-*.long.test.ts has all personas.
testProbe(operations, { choose: representatives, atLeast: 1_000 });
