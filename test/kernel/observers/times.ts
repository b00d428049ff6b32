import { expect } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

type Row = { of: string; version: number; updatedAt: Date };

/** `updatedAt` of a row moves whenever its version does, after each write, in every table with both. */
export function movesTimes(world: () => World): Observer {
  let before = new Map<string, Row>();
  const risen = new Set<string>();
  const read = async () => {
    const { db } = world().app;
    const tables = await db.read<{ name: string }>(sql`SELECT table_name AS name
      FROM information_schema.columns WHERE table_schema = current_schema()
        AND column_name IN ('id', 'version', 'updatedAt')
      GROUP BY table_name HAVING count(*) = 3 ORDER BY table_name`);
    const rows = await Promise.all(
      tables.map(({ name }) =>
        db.read<Row>(sql`SELECT ${name}::text || ' ' || id AS of, version, "updatedAt"
          FROM ${sql.identifier(name)}`),
      ),
    );
    return new Map(rows.flat().map((row) => [row.of, row]));
  };
  return {
    name: "moves updatedAt with every version",
    watches: (operation) => writes(operation),
    async before() {
      before = await read();
      // The clock has passed on since what the call changes was written.
      world().app.advance(1);
    },
    async after() {
      const stuck = [];
      for (const [of, { version, updatedAt }] of await read()) {
        const old = before.get(of);
        if (old === undefined || old.version >= version) continue;
        risen.add(of.split(" ")[0] ?? "");
        // Fixtures have the time of the database, which is not that of the app.
        if (updatedAt.getTime() === old.updatedAt.getTime()) stuck.push(of);
      }
      expect(stuck).toEqual([]);
    },
    ends: {
      "versions of cards, lists and boards have risen"() {
        expect([...risen]).toEqual(expect.arrayContaining(["cards", "lists", "boards"]));
      },
    },
  };
}
