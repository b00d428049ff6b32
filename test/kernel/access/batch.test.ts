import { describe, expect, test } from "vitest";
import { batchable } from "../../../src/app/router/batch.ts";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { join } from "../../support/make.ts";
import { operations, routeOf, send, writes } from "./call.ts";
import { inputs } from "./inputs.ts";
import { useWorld } from "./world.ts";
import { findEvents } from "../../support/events.ts";

const world = useWorld();

/** The writes of a workspace that are no part of a batch. */
const alone = [
  "app.allow",
  "app.forbid",
  "attachment.confirm",
  "attachment.prepare",
  "attachment.upload",
  "board.move",
  "card.bulkUpdate",
  "card.duplicate",
  "card.next",
  "import.cancel",
  "import.csv",
  "import.csvPreview",
  "import.github",
  "import.kan",
  "import.mapPeople",
  "import.planka",
  "import.trello",
  "import.trelloFile",
  "invite.createLink",
  "invite.deactivateLink",
  "member.invite",
  "member.leave",
  "serviceAccount.create",
  "serviceAccount.createKey",
  "serviceAccount.delete",
  "serviceAccount.revokeKey",
  "serviceAccount.update",
  "webhook.create",
  "webhook.rotateSecret",
  "webhook.test",
  "webhook.update",
  "workspace.batch",
];

const batched = Object.keys(batchable).filter((name): name is Operation =>
  operations.some((operation) => operation === name),
);

test("every write of a workspace is in a batch or stays alone", () => {
  const here = operations.filter((name) => writes(name) && "needs" in ruleOf(name));
  const others = here.filter((name) => !Object.hasOwn(batchable, name));
  expect(others.toSorted()).toEqual(alone);
  expect(others.filter((name) => !("alone" in ruleOf(name)))).toEqual([]);
});

describe("every operation of a batch", () => {
  test.each(batched)("%s runs in one, and does as it does alone", async (operation) => {
    const { app, fixtures } = world();
    const { admin } = fixtures;
    const workspacePublicId = fixtures.ids.workspace;
    const { input, undo } = await inputs[operation](world(), admin);
    // A batch in the trash is refused: its workspace is not live.
    if (operation === "workspace.restore") return void (await undo?.());
    const call = { operation, input };
    const dry = { workspacePublicId, operations: [call], dryRun: true };
    const where = { userId: null };
    const before = await app.db.reader.event.count({ where });
    const tried = await send(app, "REST", "workspace.batch", dry, admin.token);
    expect([tried.status, tried.text]).toEqual([200, expect.any(String)]);
    expect(await app.db.reader.event.count({ where })).toBe(before);
    const real = { workspacePublicId, operations: [call] };
    const done = await send(app, "tRPC", "workspace.batch", real, admin.token);
    const inOrder = { orderBy: { id: "asc" } } as const;
    const events = await findEvents(app, { where, skip: before, ...inOrder });
    await undo?.();
    expect([done.status, done.text]).toEqual([200, expect.any(String)]);
    const emits = ruleOf(operation).emits ?? [];
    expect(events.filter(({ type }) => !emits.some((one) => one === type))).toEqual([]);
  });
});

test("a batch has the permissions of its operations", async () => {
  const { app, fixtures } = world();
  const workspacePublicId = fixtures.ids.workspace;
  const refused: string[] = [];
  const people = [
    await join(app, fixtures.workspace, "guest"),
    await join(app, fixtures.workspace, "member"),
  ];
  for (const operation of ["card.update", "list.create", "role.create", "label.update"] as const) {
    const { input } = await inputs[operation](world(), fixtures.admin);
    for (const { token } of people) {
      const body = { workspacePublicId, operations: [{ operation, input }] };
      const alonely = await send(app, "REST", operation, input, token);
      const inBatch = await send(app, "REST", "workspace.batch", body, token);
      expect(inBatch.status, operation).toBe(alonely.status);
      if (alonely.status === 403) refused.push(operation);
    }
  }
  expect(refused.length).toBeGreaterThan(2);
  expect(routeOf("workspace.batch").path).toBe("/workspaces/{workspacePublicId}/batch");
});
