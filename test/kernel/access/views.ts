import { beforeAll, describe, expect, test } from "vitest";
import { viewing, type Permission } from "../../../src/contract/vocabulary/permissions.ts";
import { ruleOf } from "../../../src/contract/policy.ts";
import { viewPermissionsIn } from "../../../src/kernel/access/filter-output.ts";
import { apisOf, operations, routeOf, send, writes } from "./call.ts";
import {
  canaryOf,
  hiddenFrom,
  inputOnFixtures,
  outputOf,
  plantCanaries,
  readersOf,
  type Reader,
} from "./view-scene.ts";
import { useWorld } from "./world.ts";

/** The operations whose answer can have content of a workspace, and all that read. */
const answering = operations.filter((operation) => {
  const output = outputOf(operation);
  const isStream = routeOf(operation).options.events !== undefined;
  const hasContent = output !== undefined && viewPermissionsIn(output).size > 0;
  const { on } = ruleOf(operation);
  const isMembers = on !== "operator" && on !== "public";
  return !isStream && isMembers && (hasContent || !writes(operation));
});

/** Tests that no answer has a text that its reader may not view; `choose` selects readers. */
export function testViews(choose: (readers: Reader[], nth: number) => Reader[], apis: number) {
  const world = useWorld();
  let readers: Reader[];
  const seen = new Set<Permission>();

  beforeAll(async () => {
    await plantCanaries(world());
    readers = await readersOf(world());
  });

  describe("no answer has texts that its reader may not view", () => {
    test.each([...answering.entries()])("%i %s", async (nth, operation) => {
      const { app, fixtures } = world();
      const input = await inputOnFixtures(world(), operation);
      const faults: string[] = [];
      let isDone = false;
      for (const api of apisOf(operation).slice(0, apis)) {
        for (const { name, token, lacks } of choose(readers, nth)) {
          const { status, text } = await send(app, api, operation, input, token);
          const where = `${name} over ${api}: ${status}`;
          // What a first reader has deleted, the next one does not find.
          const isGone = isDone && status === 404;
          isDone ||= status === 200;
          if (!isGone && ![200, 403, 409, 429].includes(status))
            faults.push(`${where} ${text.slice(0, 300)}`);
          if (hiddenFrom(lacks).test(text)) faults.push(`${where} reads ${text.slice(0, 600)}`);
        }
        const { text } = await send(app, api, operation, input, fixtures.admin.token);
        for (const one of viewing) if (text.includes(canaryOf(one))) seen.add(one);
      }
      expect(faults).toEqual([]);
    });

    test("while an admin reads the texts of every kind", () => {
      expect([...seen].toSorted()).toEqual(viewing.toSorted());
    });
  });
}
