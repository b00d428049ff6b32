import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { runModel } from "./sync/run.ts";

const app = useApp();
const seed = Number(process.env["SYNC_SEED"] ?? Date.now() % 1_000_000);

// Repeat a failure with `SYNC_SEED=<seed>`.
test(
  `copies equal a fresh read after 1,000 operations, seed ${seed}`,
  { timeout: 600_000 },
  async () => {
    const count = Number(process.env["SYNC_COUNT"] ?? 1_000);
    expect(await runModel(app(), seed, count)).toHaveLength(count);
  },
);
