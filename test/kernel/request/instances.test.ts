import { expect, test } from "vitest";
import { createLimits, type RateLimits } from "../../../src/kernel/request/rate-limits.ts";
import { unauthorized } from "../../../src/platform/errors.ts";

const perDay = { text: 1_000, stored: 1_000 };
const wrong = async () => {
  throw unauthorized("sign_in_failed", "Wrong.");
};

/** Each limit of sign-in attempts and of mails, once. */
const attempts: Record<string, (limits: RateLimits) => Promise<unknown>> = {
  signIn: (limits) => limits.signIn("a@example.com", "192.0.2.1", async () => true, wrong),
  resetRequest: (limits) => limits.resetRequest("a@example.com", "192.0.2.1", async () => {}),
  password: (limits) => limits.password(1n, async () => false),
  signUp: (limits) => limits.signUp("192.0.2.1", async () => undefined),
  guess: (limits) => limits.guess("192.0.2.1", wrong),
  verification: (limits) => limits.verification(1n),
};

/** How many attempts instances let pass that take turns, as behind a balancer. */
async function passed(instances: number, attempt: (limits: RateLimits) => Promise<unknown>) {
  const all = Array.from({ length: instances }, () =>
    createLimits(100, 12, perDay, () => instances),
  );
  let count = 0;
  for (let nth = 0; nth < 1_000; nth++) {
    const limits = all[nth % instances];
    if (limits === undefined) continue;
    const refused = await attempt(limits).then(
      () => false,
      (error: { failure?: string }) => error.failure === "TOO_MANY_REQUESTS",
    );
    if (!refused) count++;
  }
  return count;
}

test.each(Object.keys(attempts))(
  "three instances together let pass as many attempts of %s as one",
  async (name) => {
    const attempt = attempts[name] ?? wrong;
    const alone = await passed(1, attempt);
    expect(alone).toBeLessThan(1_000);
    expect(await passed(3, attempt)).toBe(alone);
    expect(await passed(100, attempt)).toBeGreaterThanOrEqual(alone / 2);
  },
);
