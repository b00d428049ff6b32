import type { List as ListRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { listFields } from "../../contract/fields/list.ts";
import type { ListInfo } from "../../contract/resources/lists.ts";
import { showAll } from "../declared-fields.ts";

const show = showAll(listFields);

/** The view of a list. */
export const viewList = (list: ListRow): z.infer<typeof ListInfo> => show(list);
