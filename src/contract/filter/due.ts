import type { FilterTree } from "./tree.ts";

const within = (value: string): FilterTree => ({ field: "dueDate", op: "within", value });

/** A period of due dates. */
type Due = "overdue" | "today" | "tomorrow" | "week" | "month" | "none";

/** The filter that each value of the short form `due` stands for. */
export const dueTrees: Readonly<Record<Due, FilterTree>> = {
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
};
