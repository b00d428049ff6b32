import type { FilterTree } from "./tree.ts";

const within = (value: string): FilterTree => ({ field: "dueDate", op: "within", value });

/** What the short form `due` means. */
export const dueTrees = {
  overdue: {
    and: [
      { field: "dueDate", op: "lt", value: "now" },
      { field: "isComplete", op: "is", value: false },
    ],
  },
  today: within("today"),
  tomorrow: within("tomorrow"),
  week: within("thisWeek"),
  month: within("thisMonth"),
  none: { field: "dueDate", op: "isEmpty" },
} as const satisfies Readonly<Record<string, FilterTree>>;
