import { z } from "zod";

const count = z.int().min(0);

/** How many of each kind are in the document of a workspace. */
export const DocumentCounts = z.strictObject({
  roles: count,
  members: count,
  boards: count,
  labels: count,
  lists: count,
  cards: count,
  checklists: count,
  checklistItems: count,
  attachments: count,
  comments: count,
  activity: count,
});

export type DocumentCounts = z.infer<typeof DocumentCounts>;

/** Where counting begins. */
export const emptyCounts = (): DocumentCounts => ({
  roles: 0,
  members: 0,
  boards: 0,
  labels: 0,
  lists: 0,
  cards: 0,
  checklists: 0,
  checklistItems: 0,
  attachments: 0,
  comments: 0,
  activity: 0,
});
