import pg from "pg";
import { expect, test } from "vitest";
import { claimFirst } from "../../../src/domain/cards/next.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { rowsOfStatement } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ isolated: true });
const cards = Number(process.env["LISTING_CARDS"] ?? 2_000);

test.each([false, true])(
  "the next card is found without reading the others (values: %s)",
  async (hasValues) => {
    const workspace = await makeWorkspace(app());
    const { lists, publicId } = await makeBoard(workspace, { lists: ["One", "Two", "Three"] });
    for (const list of lists) await fill(app(), list, { cards: cards / 2 });
    const isOfBoard = sql`"boardId" = (SELECT id FROM boards WHERE "publicId" = ${publicId})`;
    if (hasValues) {
      await app().db.write(sql`UPDATE cards SET "dueDate" = now() + make_interval(secs => number),
      priority = (enum_range(NULL::"CardPriority"))[number % 5 + 1] WHERE ${isOfBoard}`);
    }
    const client = new pg.Client(app().url);
    await client.connect();
    await client.query("ANALYZE");
    await client.end();
    const [row] = await app().db.read<{ boardId: bigint; memberId: bigint }>(sql`
    SELECT b.id AS "boardId", m.id AS "memberId" FROM boards b
    JOIN members m ON m."workspaceId" = b."workspaceId" WHERE b."publicId" = ${publicId}`);
    const { boardId = 0n, memberId = 0n } = row ?? {};
    for (const sort of ["position", "priority", "dueDate"] as const) {
      const claim = {
        memberId,
        minutes: 15,
        now: new Date(),
        caller: { userId: 0n, key: null, hasSecondFactor: true },
      };
      const { rows } = await rowsOfStatement(app(), (query) =>
        query(claimFirst(boardId, {}, sort, claim)),
      );
      expect({ sort, rows: rows > 0 && rows < 100 }).toEqual({ sort, rows: true });
    }
  },
);
