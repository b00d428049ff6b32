import { isVisible } from "../../../kernel/access/visibility.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { ImportStep } from "./step.ts";

/** SQL: whether the starter of an import may see the board `b`. */
export const visibleToStarter = ({ target: { memberId, may } }: ImportStep): Sql =>
  isVisible({
    memberId: memberId ?? 0n,
    managesWorkspace: may.has("workspace:manage"),
    boardId: null,
  });
