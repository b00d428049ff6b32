import { sql } from "../../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import type { App } from "../../support/app.ts";
import { keepParts } from "../../../src/domain/parts/kept.ts";

/** Adds empty boards to a workspace; the API would need a call for each. */
export const insertBoards = ({ db }: App, workspacePublicId: string, count: number) =>
  db.write(sql`
    INSERT INTO boards ("publicId", "workspaceId", name, slug)
    SELECT substr(md5(random()::text), 1, 12), w.id, 'Board', 'board-' || n
    FROM workspaces w, generate_series(1, ${count}::int) n
    WHERE w."publicId" = ${workspacePublicId}`);

/** Gives all cards of a board its labels and a checklist; the API would need calls for each. */
export const labelAndCheck = ({ db }: App, boardPublicId: string) =>
  db.transact(async (_, query) => {
    // Thousands of rows may take longer than a call may.
    await query(allowLongStatements);
    await query(sql`
    WITH c AS (
      SELECT c.* FROM cards c JOIN boards b ON b.id = c."boardId"
      WHERE b."publicId" = ${boardPublicId}
    ), labelled AS (
      INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
      SELECT c.id, l.id, c."workspaceId" FROM c JOIN labels l ON l."boardId" = c."boardId"
    ), ch AS (
      INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position)
      SELECT substr(md5('checklist' || id), 1, 12), "workspaceId", id, 'Steps', 1 FROM c
      RETURNING *
    )
    INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position)
    SELECT substr(md5('item' || id), 1, 12), "workspaceId", id, 'Step', 1 FROM ch`);
    await keepParts(query, sql`true`);
  });
