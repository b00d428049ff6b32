import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { runModel } from "./sync/run.ts";

// It runs the jobs of imports.
const app = useApp({ isolated: true });
const seed = Number(process.env["SYNC_SEED"] ?? 1);

test(`copies equal a fresh snapshot, seed ${seed}`, async () => {
  const count = Number(process.env["SYNC_COUNT"] ?? 40);
  expect(await runModel(app(), seed, count)).toHaveLength(count);
});
