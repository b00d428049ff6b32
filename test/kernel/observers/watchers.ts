import { expect } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** The row of a card never says that fewer watch it than do, after each write. */
export function knowsWatchers(world: () => World): Observer {
  return {
    name: "keeps who watches a card at most",
    watches: (operation) => writes(operation),
    async after() {
      const wrong = await world().app.db.read(sql`SELECT c."publicId", c."watcherId", cw."userId"
        FROM cards c JOIN card_watchers cw ON cw."cardId" = c.id
        WHERE c."watcherId" IS DISTINCT FROM cw."userId" AND c."watcherId" IS DISTINCT FROM 0`);
      expect(wrong).toEqual([]);
    },
  };
}
