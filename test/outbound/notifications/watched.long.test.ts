import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/contract/policy.ts";
import { catalog } from "../../../src/contract/events.ts";
import { as } from "../../support/as.ts";
import { join } from "../../support/make.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { oneApiOf, operations } from "../../kernel/access/call.ts";
import { main, perform } from "../../kernel/access/perform.ts";
import { useWorld } from "../../kernel/access/world.ts";
import { notificationsOf, watch } from "./team.ts";

const world = useWorld();
let watcher: Awaited<ReturnType<typeof join>>;
beforeAll(async () => {
  const { app, estate } = world();
  watcher = await join(app, estate.workspace, "member");
});

/** Whether the main event of a write is an activity of a card that existed before. */
const isActivity = (operation: Operation) => {
  const type = main[operation];
  return type !== undefined && type !== "card.created" && catalog[type].isActivity;
};

/** A deleted card cannot be watched. */
const onDeleted = new Set<Operation>(["card.restore"]);

/** Watches all cards of the workspace that are not deleted. */
async function watchAll(): Promise<Set<string>> {
  const { app, estate } = world();
  const where = { workspaceId: estate.id, deletedAt: null, list: { deletedAt: null } };
  const cards = await app.db.reader.card.findMany({ where });
  for (const { publicId } of cards) await watch(as(app, watcher.token), publicId);
  return new Set(cards.map(({ publicId }) => publicId));
}

describe("a watcher of the card is notified of", () => {
  const activities = operations.filter((one) => isActivity(one) && !onDeleted.has(one));
  test.each(activities)("%s", async (operation) => {
    const { estate } = world();
    const made = await inputs[operation](world(), estate.admin);
    const watched = await watchAll();
    const [api = "REST"] = oneApiOf(operation);
    const { status, text, events } = await perform(world(), api, operation, { made });
    expect(status, text).toBe(200);
    const cards = events.flatMap(({ cardPublicId: id }) =>
      id !== null && watched.has(id) ? id : [],
    );
    expect(cards).not.toEqual([]);
    const [latest] = await notificationsOf(watcher);
    expect(latest).toMatchObject({ event: main[operation], card: { publicId: cards[0] } });
  });
});
