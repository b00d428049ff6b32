import type { List as ListRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { listFields } from "../../contract/fields/list.ts";
import type { ListInfo } from "../../contract/resources/lists.ts";
import { showAll } from "../declared-fields.ts";

/** Shows a list. */
export const showList: (list: ListRow) => z.infer<typeof ListInfo> = showAll(listFields);
