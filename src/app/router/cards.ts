import { router } from "../../kernel/request/trpc.ts";
import { addCardLabel } from "../../domain/cards/add-label.ts";
import { addCardMember } from "../../domain/cards/add-member.ts";
import { listCardActivities } from "../../domain/cards/activities.ts";
import { claimCard } from "../../domain/cards/claim.ts";
import { createCard } from "../../domain/cards/create.ts";
import { deleteCard } from "../../domain/cards/delete.ts";
import { duplicateCard } from "../../domain/cards/duplicate.ts";
import { getCardByNumber } from "../../domain/cards/get-by-number.ts";
import { getCard } from "../../domain/cards/get.ts";
import { nextCard } from "../../domain/cards/next.ts";
import { releaseClaim } from "../../domain/cards/release-claim.ts";
import { removeCardLabel } from "../../domain/cards/remove-label.ts";
import { removeCardMember } from "../../domain/cards/remove-member.ts";
import { renewClaim } from "../../domain/cards/renew-claim.ts";
import { restoreCard } from "../../domain/cards/restore.ts";
import { toggleCardLabel } from "../../domain/cards/toggle-label.ts";
import { toggleCardMember } from "../../domain/cards/toggle-member.ts";
import { bulkUpdateCards } from "../../domain/cards/bulk-update.ts";
import { updateCard } from "../../domain/cards/update.ts";
import { watchCard } from "../../domain/cards/watch.ts";

/** Cards of a list. */
export const cards = router({
  create: createCard,
  get: getCard,
  getByNumber: getCardByNumber,
  update: updateCard,
  bulkUpdate: bulkUpdateCards,
  delete: deleteCard,
  restore: restoreCard,
  duplicate: duplicateCard,
  toggleLabel: toggleCardLabel,
  addLabel: addCardLabel,
  removeLabel: removeCardLabel,
  toggleMember: toggleCardMember,
  addMember: addCardMember,
  removeMember: removeCardMember,
  next: nextCard,
  claim: claimCard,
  renewClaim,
  releaseClaim,
  watch: watchCard,
  activities: listCardActivities,
});
