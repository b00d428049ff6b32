import { afterAll, beforeAll, expect, test } from "vitest";
import { ruleOf } from "../../../src/contract/policy.ts";
import { oneApiOf, operations, send, writes } from "../access/call.ts";
import { inputs } from "../access/inputs.ts";
import { adminKey, useWorld } from "../access/world.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { refuseEvents } from "./refuse-events.ts";

const world = useWorld();

/** The operations whose changes are events. */
const announced = operations.filter((one) => writes(one) && ruleOf(one).emits !== undefined);

let events: Awaited<ReturnType<typeof refuseEvents>>;
beforeAll(async () => (events = await refuseEvents(world().app)));
afterAll(() => events.drop());

test.each(announced)("%s changes nothing when its event cannot be written", async (operation) => {
  const { app, fixtures } = world();
  const [api = "REST"] = oneApiOf(operation);
  const { input, token, undo } = await inputs[operation](world(), fixtures.admin);
  // The usual input moves nothing.
  if (operation === "board.move") {
    input["workspacePublicId"] = (await makeWorkspace(app, fixtures.admin)).publicId;
  }
  // The usual account is in no workspace that could hear of it.
  if (operation === "operator.updateUser" || operation === "operator.deleteUser") {
    const workspace = await makeWorkspace(app, fixtures.admin);
    input["userPublicId"] = (await join(app, workspace, "member")).publicId;
  }
  const before = await events.changes();
  await events.refuse();
  const { status, text } = await send(app, api, operation, input, token ?? fixtures.admin.token, {
    "X-Admin-Key": adminKey,
  });
  await events.allow();
  expect(status, text).toBe(503);
  expect(await events.changes()).toEqual(before);
  await undo?.();
});
