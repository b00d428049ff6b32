import type { Target } from "./resolve-target.ts";

/** Resources deleted before this time return 404, even if they are not purged yet. */
export const purgedBefore = (now: Date, trashDays: number) =>
  new Date(now.getTime() - trashDays * 24 * 60 * 60 * 1000);

/** Whether a target, or one of its parents, was deleted before `purgedBefore`. */
export function isExpiredTrash({ resources }: Target, now: Date, trashDays: number) {
  const before = purgedBefore(now, trashDays);
  return Object.values(resources).some(
    ({ deletedAt }) => deletedAt instanceof Date && deletedAt < before,
  );
}
