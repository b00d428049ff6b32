import { router } from "../../kernel/request/trpc.ts";
import { listCardActivities } from "../../domain/cards/activities.ts";
import { createCard } from "../../domain/cards/create.ts";
import { deleteCard } from "../../domain/cards/delete.ts";
import { duplicateCard } from "../../domain/cards/duplicate.ts";
import { getCardByNumber } from "../../domain/cards/get-by-number.ts";
import { getCard } from "../../domain/cards/get.ts";
import { restoreCard } from "../../domain/cards/restore.ts";
import { toggleCardLabel } from "../../domain/cards/toggle-label.ts";
import { toggleCardMember } from "../../domain/cards/toggle-member.ts";
import { updateCard } from "../../domain/cards/update.ts";
import { watchCard } from "../../domain/cards/watch.ts";

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
