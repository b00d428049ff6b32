import { router } from "../trpc.ts";
import { listCardActivities } from "./activities.ts";
import { createCard } from "./create.ts";
import { deleteCard } from "./delete.ts";
import { duplicateCard } from "./duplicate.ts";
import { getCardByNumber } from "./get-by-number.ts";
import { getCard } from "./get.ts";
import { restoreCard } from "./restore.ts";
import { toggleCardLabel } from "./toggle-label.ts";
import { toggleCardMember } from "./toggle-member.ts";
import { updateCard } from "./update.ts";
import { watchCard } from "./watch.ts";

/** Cards of a list. */
export const cards = router({
  create: createCard,
  get: getCard,
  getByNumber: getCardByNumber,
  update: updateCard,
  delete: deleteCard,
  restore: restoreCard,
  duplicate: duplicateCard,
  toggleLabel: toggleCardLabel,
  toggleMember: toggleCardMember,
  watch: watchCard,
  activities: listCardActivities,
});
