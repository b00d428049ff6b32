import { test } from "vitest";
import { shareLimits, expectFairQueue } from "./full-queues.ts";

test.each(Object.entries(shareLimits))(
  "%s: callers who fill a queue of its full length do not stop others",
  (_, limits) => expectFairQueue(limits),
);
