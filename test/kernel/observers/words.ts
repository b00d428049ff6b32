import { expect } from "vitest";
import { vectorOf, wordsOfName } from "../../../src/domain/search/words.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

type Row = {
  type: string;
  id: bigint;
  workspaceId: bigint;
  boardId: bigint;
  name: string | null;
  text: string | null;
  isLive: boolean;
};

/** The rows with a text that is searched, and how the index should have them. */
const texts = sql`
  SELECT 'board' AS type, id, "workspaceId", id AS "boardId", name, description AS text,
    true AS "isLive" FROM boards
  UNION ALL SELECT 'card', id, "workspaceId", "boardId", title, description, "deletedAt" IS NULL
    FROM cards
  UNION ALL SELECT 'comment', co.id, co."workspaceId", c."boardId", NULL, comment,
      c."deletedAt" IS NULL
    FROM comments co JOIN cards c ON c.id = co."cardId" WHERE co."deletedAt" IS NULL`;

/** What is wrong with the stored words: of a text without its own, or with those of another one. */
export async function wrongWords({ db }: Pick<App, "db">): Promise<object[]> {
  const rows = await db.read<Row>(texts);
  const expected = JSON.stringify(
    rows.map(({ type, id, boardId, name, text, isLive }) => {
      const scope = { type, id: String(id), scopeId: String(boardId), isLive };
      return { ...scope, words: vectorOf(name, text), isNamed: name !== null };
    }),
  );
  const names = rows.flatMap(({ workspaceId, name }) =>
    [...wordsOfName(name ?? "")].map((word) => ({ workspaceId: String(workspaceId), word })),
  );
  return db.read(sql`
    SELECT coalesce(t.type, s.type) AS type, coalesce(t.id, s.id) AS id, t.words, s.words AS stored,
      t."isLive", s."isLive" AS "storedLive", t."scopeId", s."scopeId" AS "storedScope"
    FROM json_to_recordset(${expected}::json) AS t(type text, id bigint, "scopeId" bigint,
      "isLive" boolean, words tsvector, "isNamed" boolean)
    FULL JOIN search_texts s ON s.type = t.type AND s.id = t.id
    WHERE (t.words, t."scopeId", t."isLive", t."isNamed")
      IS DISTINCT FROM (s.words, s."scopeId", s."isLive", s."titleHash" IS NOT NULL)
    UNION ALL SELECT 'word of a name', w."workspaceId", w.word::tsvector, NULL, NULL, NULL, NULL, NULL
    FROM json_to_recordset(${JSON.stringify(names)}::json) AS w("workspaceId" bigint, word text)
    WHERE NOT EXISTS (SELECT FROM search_words s WHERE s."workspaceId" = w."workspaceId"
      AND s.word = w.word AND NOT s."isStale")`);
}

/** A write of a text that is searched stores its words. */
export function storesWords(world: () => World): Observer {
  return {
    name: "stores the words of the texts that it writes",
    watches: writes,
    async after() {
      expect(await wrongWords(world().app)).toEqual([]);
    },
    ends: {
      async "a text without its words is noticed"() {
        const { app, fixtures } = world();
        const rename = (from: string, to: string) =>
          app.db.write(sql`UPDATE cards SET title = ${to}
            WHERE "publicId" = ${fixtures.ids.card} AND title = ${from} RETURNING title`);
        const path = `/cards/${fixtures.ids.card}`;
        await fixtures.admin.rest.put(path, { title: "Found" });
        await rename("Found", "Lost");
        expect(await wrongWords(app)).toHaveLength(2);
        await rename("Lost", "Found");
        expect(await wrongWords(app)).toEqual([]);
      },
    },
  };
}
