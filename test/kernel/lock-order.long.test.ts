import { expect, test } from "vitest";
import { batchable } from "../../src/app/router/batch.ts";
import { useLocks } from "../support/locks.ts";
import { apisOf, operations, send, type Input } from "./access/call.ts";
import { inputs } from "./access/inputs.ts";
import { text } from "./access/targets.ts";
import { adminKey, useWorld } from "./access/world.ts";
import { wideInputs } from "./lock-order-inputs.ts";
import { lockFaultsOf } from "./observers/locks.ts";

const world = useWorld();
const locks = useLocks();

type Call = { operation: keyof typeof inputs; input: Input; token?: string };

/** What the transactions of a call do against the order of locks. */
async function faultsIn({ operation, input, token }: Call): Promise<string[]> {
  const { app, fixtures } = world();
  const [api] = apisOf(operation);
  const headers = { "X-Admin-Key": adminKey };
  locks.start();
  const caller = token ?? fixtures.admin.token;
  const { status, text: response } = await send(app, api, operation, input, caller, headers);
  expect(status, response).toBe(200);
  return lockFaultsOf(locks.taken());
}

/** The same in a batch, after a change of the workspace: what is locked late comes after it. */
function faultsAfterWorkspace({ operation, input }: Call): Promise<string[]> {
  const { workspace: workspacePublicId } = world().fixtures.ids;
  const change = { operation: "workspace.update", input: { workspacePublicId, name: text() } };
  const batch = { workspacePublicId, operations: [change, { operation, input }] };
  return faultsIn({ operation: "workspace.batch", input: batch });
}

// A batch in the trash is refused: its workspace is not live.
const isBatched = (name: string) => Object.hasOwn(batchable, name) && name !== "workspace.restore";

test.each(operations.filter(isBatched))(
  "%s locks in the one order late in a batch",
  async (operation) => {
    const { undo, ...call } = await inputs[operation](world(), world().fixtures.admin);
    const faults = await faultsAfterWorkspace({ operation, ...call });
    await undo?.();
    expect(faults).toEqual([]);
  },
);

test.each(Object.entries(wideInputs))("%s locks in the one order", async (_, make) => {
  expect(await faultsIn(await make(world()))).toEqual([]);
  const call = await make(world());
  if (isBatched(call.operation)) expect(await faultsAfterWorkspace(call)).toEqual([]);
});
