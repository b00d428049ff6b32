import { useMemo, useState } from "react";
import type { BoardOptions } from "@workspace-board-service/client/react";

/** Which cards a board shows. Empty parts let all cards pass. */
export type Filter = { text: string; labels: string[]; members: string[]; due: string };

/** The periods of due dates, as the service names them. */
export const periods = [
  { publicId: "overdue", name: "Overdue" },
  { publicId: "today", name: "Due today" },
  { publicId: "tomorrow", name: "Due tomorrow" },
  { publicId: "week", name: "Due this week" },
  { publicId: "month", name: "Due this month" },
  { publicId: "none", name: "No due date" },
] as const;

const all: Filter = { text: "", labels: [], members: [], due: "" };
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The filter of a board, and as an option of `useBoard`. */
export function useFilter() {
  const [filter, setFilter] = useState(all);
  const { text, labels, members } = filter;
  const due = periods.find(({ publicId }) => publicId === filter.due)?.publicId;
  const isFiltered = text !== "" || labels.length > 0 || members.length > 0 || due !== undefined;
  const options = useMemo((): BoardOptions => {
    const period = due === undefined ? {} : { due };
    return isFiltered ? { filter: { text, labels, members, timeZone, ...period } } : {};
  }, [isFiltered, text, labels, members, due]);
  const change = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  return { filter, change, clear: () => setFilter(all), options, isFiltered };
}
