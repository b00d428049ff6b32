import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { runStores } from "./model.ts";

const app = useApp();
const seed = Number(process.env["STORE_SEED"] ?? 7_702);
const count = Number(process.env["STORE_COUNT"] ?? 300);

// `STORE_SEED=$RANDOM` makes other changes; `STORE_COUNT=10000` runs longer.
test(
  `stores equal the service after ${count} changes, seed ${seed}`,
  { timeout: 600_000 + count * 1_000 },
  async () => {
    expect(await runStores(app, seed, count)).toBeGreaterThan(0);
  },
);
