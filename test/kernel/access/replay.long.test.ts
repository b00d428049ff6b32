import { describe, expect, test } from "vitest";
import { ruleOf } from "../../../src/contract/policy.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { operations, routeOf, send, writes } from "./call.ts";
import { deleteTarget } from "./delete-target.ts";
import { makeUser, putMember } from "./fixtures.ts";
import { inputs } from "./inputs.ts";
import { removeMember } from "./membership.ts";
import { useWorld } from "./world.ts";

const world = useWorld();

// `send` makes other bytes for each upload, which would be another call.
const ofWorkspaces = operations
  .filter((name) => writes(name) && "needs" in ruleOf(name))
  .filter((name) => routeOf(name).options.requestBody !== "bytes");
const plain = '{"success":true}';

/** An import creates nothing twice, whether or not its call is repeated. */
const repeatable = /^import\./;

/** Whether a crash could part the last event of a key's call from its stored answer. */
async function isApart(key: string): Promise<boolean> {
  const [row] = await world().app.db.read<{ apart: boolean }>(sql`
    SELECT k.xmin <> e.xmin AS apart FROM events e JOIN idempotency_keys k
      ON k.digest = idempotency_digest('user:' || e."actorUserId", e."mutationId")
    WHERE e."mutationId" = ${key} ORDER BY e.id DESC LIMIT 1`);
  return row?.apart ?? false;
}

describe("a repeated Idempotency-Key", () => {
  test.each(ofWorkspaces)(
    "%s answers a member the same, also without its target, a removed member nothing",
    async (name) => {
      const { app, fixtures } = world();
      const caller = await makeUser(app, "Caller");
      const member = await putMember(fixtures, caller, "admin");
      const { input, token = caller.token, undo } = await inputs[name](world(), caller);
      const call = () => send(app, "REST", name, input, token, { "Idempotency-Key": name });
      try {
        const first = await call();
        expect([first.status, first.text]).toEqual([200, expect.anything()]);
        if (!repeatable.test(name)) expect(await isApart(name)).toBe(false);
        const again = await call();
        expect([again.status, again.text]).toEqual([200, first.text]);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
        const restore = await deleteTarget(world(), name, input);
        try {
          const gone = await call();
          expect([gone.status, gone.text]).toEqual([200, first.text]);
          if (token !== caller.token) return;
          await removeMember(app, member.publicId);
          const later = await call();
          if (first.text === plain) expect([later.status, later.text]).toEqual([200, plain]);
          else expect([403, 404]).toContain(later.status);
        } finally {
          await restore();
        }
      } finally {
        await undo?.();
      }
    },
  );
});
