import { expect } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** The row of each workspace says whether it has an active webhook, after each write. */
export function knowsWebhooks(world: () => World): Observer {
  return {
    name: "keeps whether the workspace has an active webhook",
    watches: (operation) => writes(operation),
    async after() {
      const wrong = await world().app.db.read(sql`SELECT w.id FROM workspaces w
        WHERE w."hasWebhooks" <> EXISTS (SELECT 1 FROM webhooks h
          WHERE h."workspaceId" = w.id AND h.active AND h."deletedAt" IS NULL)`);
      expect(wrong).toEqual([]);
    },
  };
}
