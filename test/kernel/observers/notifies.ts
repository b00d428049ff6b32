import { beforeAll, expect } from "vitest";
import { catalog } from "../../../src/contract/events.ts";
import type { Operation } from "../../../src/contract/policy.ts";
import { notificationsOf, watch } from "../../outbound/notifications/team.ts";
import { as } from "../../support/as.ts";
import { join } from "../../support/make.ts";
import { oneApiOf } from "../access/call.ts";
import { eventsOf, main } from "../access/perform.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** Whether the main event of a write is an activity of a card that existed before. */
const isActivity = (operation: Operation) => {
  const type = main[operation];
  return type !== undefined && type !== "card.created" && catalog[type].isActivity;
};

/** A deleted card cannot be watched. */
const onDeleted = new Set<Operation>(["card.restore"]);

/** Who watches the card of an activity is notified of it. */
export function notifiesWatchers(world: () => World): Observer {
  let watcher: Awaited<ReturnType<typeof join>>;
  let watched = new Set<string>();
  const asked = new Set<string>();
  beforeAll(async () => {
    const { app, fixtures } = world();
    watcher = await join(app, fixtures.workspace, "member");
  });
  return {
    name: "notifies a watcher of the card",
    watches: (operation, api) =>
      isActivity(operation) && !onDeleted.has(operation) && oneApiOf(operation).includes(api),
    async before() {
      const { app, fixtures } = world();
      const where = { workspaceId: fixtures.id, deletedAt: null, list: { deletedAt: null } };
      const cards = await app.db.reader.card.findMany({ where });
      watched = new Set(cards.map(({ publicId }) => publicId));
      for (const card of watched) {
        if (!asked.has(card)) await watch(as(app, watcher.token), card);
        asked.add(card);
      }
    },
    async after({ operation, requestId }) {
      const events = await eventsOf(world().app, requestId);
      const cards = events.flatMap(({ cardPublicId: id }) =>
        id !== null && watched.has(id) ? id : [],
      );
      expect(cards).not.toEqual([]);
      const [latest] = await notificationsOf(watcher);
      expect(latest).toMatchObject({ event: main[operation], card: { publicId: cards[0] } });
    },
  };
}
