import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/contract/policy.ts";
import { operations, send, type Answered, type Api, type ChooseApis } from "../access/call.ts";
import { inputs, type Target } from "../access/inputs.ts";
import { adminKey, type World } from "../access/world.ts";

/** A call that is about to be made. */
export type Call = { operation: Operation; api: Api; target: Target };

/** What happened in a call that succeeded; what its target needs is undone later. */
export type Observed = Call & Answered & { requestId: string };

/** What watches all calls of a walk, and disturbs none. */
export type Observer = {
  /** What holds for each call. */
  name: string;
  watches(operation: Operation, api: Api): boolean;
  /** Before the call; that of the first observer is the last. */
  before?(call: Call): Promise<void> | void;
  /** After the call; that of the first observer is the first. */
  after(observed: Observed): Promise<void> | void;
  /** Tests after all calls. */
  ends?: Record<string, () => Promise<void> | void>;
};

let count = 0;

/**
 * Calls each operation that an observer watches once over each API. Only calls over REST have an
 * Idempotency-Key.
 */
export function walk(world: () => World, openApis: ChooseApis, observers: Observer[]) {
  async function perform(call: Call): Promise<Observed> {
    const { app, fixtures } = world();
    const { operation, api, target } = call;
    const requestId = `walk-${++count}`;
    const token = target.token ?? fixtures.admin.token;
    const answer = await send(app, api, operation, target.input, token, {
      "X-Request-Id": requestId,
      "X-Admin-Key": adminKey,
      ...(api === "REST" && { "Idempotency-Key": randomUUID() }),
    });
    // A page is sent on.
    expect([200, 303], answer.text).toContain(answer.status);
    return { ...call, ...answer, requestId };
  }

  const calls = operations.flatMap((operation) =>
    openApis(operation).map((api) => {
      const watching = observers.filter(({ watches }) => watches(operation, api));
      return { operation, api, watching };
    }),
  );

  describe.each(calls.filter(({ watching }) => watching.length > 0))(
    "$operation over $api",
    ({ operation, api, watching }) => {
      let observed: Observed;
      beforeAll(async () => {
        const target = await inputs[operation](world(), world().fixtures.admin);
        const call = { operation, api, target };
        for (const { before } of watching.toReversed()) await before?.(call);
        observed = await perform(call);
        return () => target.undo?.();
      });
      test.each(watching)("$name", async ({ after }) => {
        expect.hasAssertions();
        await after(observed);
      });
    },
  );

  const ending = observers.flatMap(({ name, ends }) => (ends === undefined ? [] : { name, ends }));
  describe.each(ending)("after all calls: $name", ({ ends }) => {
    test.each(Object.entries(ends))("%s", async (_, end) => {
      expect.hasAssertions();
      await end();
    });
  });
}
