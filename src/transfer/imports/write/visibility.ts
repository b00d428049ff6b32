import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { ImportStep } from "./step.ts";

/** Whether the starter of an import may see the board `b`. */
export const visibleToStarter = ({ target }: ImportStep): Sql => sql`(
  b.visibility <> 'restricted' OR ${target.may.has("workspace:manage")} OR EXISTS (
    SELECT 1 FROM board_members bm
    WHERE bm."boardId" = b.id AND bm."memberId" = ${target.memberId}))`;
