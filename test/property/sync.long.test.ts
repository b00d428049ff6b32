import { test } from "vitest";
import { useApp } from "../support/app.ts";
import { runModel } from "./sync/run.ts";

const app = useApp();

test("copies equal a fresh read after 1,000 operations", { timeout: 600_000 }, async () => {
  const seed = Number(process.env["SYNC_SEED"] ?? Date.now() % 1_000_000);
  // Repeat a failure with `SYNC_SEED=<seed>`.
  console.log(`seed ${seed}`);
  await runModel(app(), seed, Number(process.env["SYNC_COUNT"] ?? 1_000));
});
