import { expect, test } from "vitest";
import { base32, codeOf, stepOf } from "../../../src/domain/factors/totp.ts";

const secret = Buffer.from("12345678901234567890");

test("codes are those of RFC 6238", () => {
  const vectors = [
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ] as const;
  for (const [seconds, code] of vectors) {
    expect(codeOf(secret, Math.floor(seconds / 30), 8)).toBe(code);
  }
});

test("Base32 is that of RFC 4648", () => {
  expect(base32(Buffer.from("foobar"))).toBe("MZXW6YTBOI");
  expect(base32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

test("the clock of an app may differ by a step, and no code comes twice", () => {
  const now = new Date(1_234_567_890_000);
  const present = Math.floor(1_234_567_890 / 30);
  const at = (steps: number, last = 0) =>
    stepOf(secret, codeOf(secret, present + steps), now, last);
  expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([
    undefined,
    present - 1,
    present,
    present + 1,
    undefined,
  ]);
  expect(at(0, present)).toBeUndefined();
  expect(at(-1, present)).toBeUndefined();
  expect(at(1, present)).toBe(present + 1);
});
