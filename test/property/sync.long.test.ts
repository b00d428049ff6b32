import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { runModel } from "./sync/run.ts";

const app = useApp({ isolated: true });
const seed = Number(process.env["SYNC_SEED"] ?? Date.now() % 1_000_000);
const count = Number(process.env["SYNC_COUNT"] ?? 1_000);

// Repeat a failure with `SYNC_SEED=<seed>`.
test(
  `copies equal a fresh snapshot after ${count} operations, seed ${seed}`,
  { timeout: 600_000 + count * 1_000 },
  async () => {
    expect(await runModel(app(), seed, count)).toHaveLength(count);
  },
);
