import { inspect } from "node:util";
import { expect } from "vitest";
import { Failure } from "../../src/platform/errors.ts";

/** The failure that a promise rejects with; the test fails on another error, or on success. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => new Error("It did not fail."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error;
  return error;
}

/** Asserts that no secret is in what is answered or logged of a failure, plain or encoded. */
export function expectNoSecret(failure: Failure, secrets: string[]): void {
  const everything = [
    inspect(failure, { depth: null, showHidden: true, getters: true }),
    JSON.stringify(failure),
    JSON.stringify(failure.body),
    failure.stack,
    inspect(failure.cause, { depth: null, showHidden: true }),
  ].join("\n");
  for (const secret of secrets) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString("base64"));
  }
}
