import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { runModel } from "./sync/run.ts";

const app = useApp({ isolated: true });
const seed = Number(process.env["SYNC_SEED"] ?? 106_104);
const count = Number(process.env["SYNC_COUNT"] ?? 600);
const writers = Number(process.env["SYNC_WRITERS"] ?? 1);

// `SYNC_SEED=$RANDOM` runs other operations, `SYNC_WRITERS=8` many at the same moment.
test(
  `copies equal a fresh snapshot after ${count} operations, seed ${seed}`,
  { timeout: 600_000 + count * 1_000 },
  async () => {
    expect(await runModel(app(), seed, count, writers)).toHaveLength(count);
  },
);
