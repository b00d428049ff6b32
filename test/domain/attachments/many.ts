import { insertRows } from "../../../src/platform/db/insert-rows.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { keepCards } from "../../support/kept.ts";

/** Adds finished files of one byte to each of some cards; the API would need a call for each. */
export async function insertFiles({ db, deps }: App, cards: string[], count: number) {
  await db.write(sql`
    INSERT INTO attachments ("publicId", "workspaceId", "cardId", status, filename, "contentType",
      size, "storageKey", "createdAt")
    SELECT substr(md5(random()::text), 1, 12), c."workspaceId", c.id, 'stored', 'x', 'text/plain',
      1, substr(md5(random()::text) || md5(random()::text), 1, 40), ${deps.clock()}::timestamptz
    FROM cards c, generate_series(1, ${count}::int) WHERE c."publicId" = ANY(${cards}::text[])`);
  await keepCards({ db }, sql`c."publicId" = ANY(${cards}::text[])`);
}

/** Adds a file whose upload has not ended, as a lost server leaves it; returns its public id. */
export async function insertPending({ db, deps }: App, card: string, storageKey: string) {
  const { id: cardId, workspaceId } = await db.reader.card.findUniqueOrThrow({
    where: { publicId: card },
  });
  const createdAt = deps.clock();
  const file = { filename: "x", contentType: "text/plain", size: 3, storageKey, createdAt };
  const row = { ...file, publicId: publicId(), workspaceId, cardId };
  await insertRows(db.write, "attachments", [row]);
  return row.publicId;
}
