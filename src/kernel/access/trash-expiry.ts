import type { Target } from "./resolve-target.ts";

/** What was deleted before this moment answers 404, whether or not it is purged yet. */
export const purgedBefore = (now: Date, trashDays: number) =>
  new Date(now.getTime() - trashDays * 24 * 60 * 60 * 1000);

/** Whether a target, or what it is on, was deleted before `purgedBefore`. */
export function isExpiredTrash({ resources }: Target, now: Date, trashDays: number) {
  const before = purgedBefore(now, trashDays);
  return Object.values(resources).some(
    ({ deletedAt }) => deletedAt instanceof Date && deletedAt < before,
  );
}
