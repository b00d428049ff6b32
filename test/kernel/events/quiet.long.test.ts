import { describe, expect, test } from "vitest";
import { ruleOf } from "../../../src/contract/policy.ts";
import { tableOf } from "../../../src/kernel/access/resources.ts";
import { apis, kindOf, operations } from "../access/call.ts";
import { main, perform, updates } from "../access/perform.ts";
import { useWorld } from "../access/world.ts";
import { statementOf } from "../../support/statement-of.ts";

const world = useWorld();

describe("nothing is announced", () => {
  test.each(updates.filter((operation) => kindOf(operation) !== undefined))(
    "by doing %s again, which changes nothing",
    async (operation) => {
      const first = await perform(world(), "REST", operation);
      const kind = kindOf(operation);
      if (kind === undefined) throw new Error(`${operation} is about nothing.`);
      const version = async () => {
        const text = `SELECT version FROM ${tableOf(kind).table} WHERE "publicId" = $1`;
        return world().app.db.read(statementOf(text, [first.target.input[`${kind}PublicId`]]));
      };
      const before = await version();
      for (const api of apis) {
        const again = await perform(world(), api, operation, { made: first.target });
        expect({ status: again.status, events: again.events }).toEqual({ status: 200, events: [] });
      }
      expect(await version()).toEqual(before);
    },
  );

  // The perform of operators' operations sends the `ADMIN_KEY`, whatever the token.
  const ofTenants = operations.filter((operation) => ruleOf(operation).on !== "operator");
  test.each(ofTenants.filter((operation) => main[operation] !== undefined))(
    "by a call that is refused: %s",
    async (operation) => {
      for (const api of apis) {
        const { status, events } = await perform(world(), api, operation, {
          credential: "no.good.token",
        });
        expect({ status, events }).toEqual({ status: 401, events: [] });
      }
    },
  );
});

describe("who did it", () => {
  test("is the key, when it was one", async () => {
    const { fixtures } = world();
    const { events } = await perform(world(), "REST", "card.create", {
      credential: fixtures.apiKey,
    });
    expect(events).toMatchObject([
      {
        actorType: "apiKey",
        actorPublicId: fixtures.ids.apiKey,
        actorName: `${fixtures.word} key`,
        actorUserId: fixtures.admin.id,
        credential: "apiKey",
      },
    ]);
  });

  test("is stored with the address and the request id of its request", async () => {
    const { events, requestId } = await perform(world(), "tRPC", "list.create");
    expect(events).toMatchObject([{ requestId, ip: "local" }]);
  });
});
