import { expect, inject, test } from "vitest";
import type { Server } from "../bench/servers.ts";
import { fuzz } from "./fuzz.ts";
import { withService } from "./service.ts";

// The seed is in the findings, which a failure prints: npm run test:fuzz -- --seed … repeats it,
// and takes a random seed without the option.
test("10,000 random calls meet no 5xx, no timeout and no undocumented response", async () => {
  const seed = Number(process.env["FUZZ_SEED"] ?? 1_234_567);
  const run = (server: Server) => fuzz(server, { calls: 10_000, seed });
  const findings = await withService(run, {}, inject("database").serviceData);
  expect(findings).toMatchObject({ seed, failures: [], timeouts: [], undocumented: [] });
  expect(findings.calls).toBeGreaterThanOrEqual(10_000);
});
