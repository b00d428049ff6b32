import { pino } from "pino";
import { expect, test } from "vitest";
import { streamResponse } from "../../src/api/rest/stream-response.ts";

const deps = { log: pino({ level: "silent" }) };

/** The bytes that the parts of a stream are charged with, before its client has read all. */
async function weighedOf(parts: number, bytes: number, read = parts) {
  const charged: number[] = [];
  async function* made() {
    for (let part = 0; part < parts; part++) yield new Uint8Array(bytes);
  }
  const response = await streamResponse(
    new Request("http://service/"),
    {
      filename: "file",
      contentType: "application/x-ndjson",
      open: () => Promise.resolve(made()),
    },
    {},
    { deps, chargeBytes: async (one) => void charged.push(one) },
  );
  const reader = response.body?.getReader();
  for (let part = 0; part < read; part++) await reader?.read();
  await reader?.cancel();
  return charged.reduce((calls, one) => calls + Math.floor(one / 100_000), 0);
}

test("a stream counts as one more call for each 1 MB", async () => {
  expect(await weighedOf(50, 64_000)).toBe(3);
  expect(await weighedOf(2, 2_500_000)).toBe(5);
  expect(await weighedOf(10, 64_000)).toBe(0);
});

test("a stream whose client leaves counts for what was sent", async () => {
  expect(await weighedOf(100, 1_000_000, 5)).toBeGreaterThanOrEqual(5);
});
