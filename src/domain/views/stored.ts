import { isFilter } from "../../contract/filter/check.ts";
import type { SortKey } from "../../contract/filter/sort.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { StoredView } from "../../contract/resources/views.ts";
import type { View as Row } from "../../platform/db/rows.ts";

/** What a view says of its cards. Only valid filters and orders are stored. */
export type Stored = {
  boards: string[];
  filter: FilterTree | null;
  sortBy: SortKey[];
  groupBy: string | null;
};

/** What a row says of the cards. */
export const storedOf = ({ boards, filter, sortBy, groupBy }: Row): Stored => ({
  boards,
  filter: isFilter(filter) ? filter : null,
  sortBy: StoredView.shape.sortBy.parse(sortBy),
  groupBy,
});
