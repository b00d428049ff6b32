import { exceededLists } from "../../src/domain/list-limits.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";

type Db = Pick<App, "db">;

/** Gives every list without cards one, and every list a limit that it is at, beyond which it blocks. */
export const fillLists = ({ db }: Db) =>
  db.write(sql`WITH filled AS (
      INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, position, title)
      SELECT left(md5(l."publicId"), 12), l."workspaceId", l."boardId", l.id, 1000000 + l.id, 1, 'Full'
      FROM lists l WHERE NOT EXISTS (SELECT FROM cards c WHERE c."listId" = l.id
        AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL)
      RETURNING "listId")
    UPDATE lists l SET "wipMode" = 'block', "wipLimit" = (SELECT count(*) FROM cards c
        WHERE c."listId" = l.id AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL)
      + (SELECT count(*) FROM filled WHERE filled."listId" = l.id)`);

/** Lets every list have any number of cards. */
export const freeLists = ({ db }: Db) => db.write(sql`UPDATE lists SET "wipLimit" = NULL`);

/** The lists that have more cards than they may have. */
export const listsOverLimit = ({ db }: Db) =>
  db.read<{ publicId: string; limit: number; count: number }>(exceededLists(sql`true`));
