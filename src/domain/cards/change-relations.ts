import type { Membership } from "../../kernel/access/authorize.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { missingPermission } from "../../platform/errors.ts";
import { changeCardLabels, type CardParents } from "./change-labels.ts";
import { changeCardMembers } from "./change-members.ts";
import { labelChange, memberChange } from "./set-change.ts";

type Context = {
  card: { id: bigint; workspaceId: bigint };
  membership: Membership;
  tx: UnitOfWork<
    "card.label_added" | "card.label_removed" | "card.member_added" | "card.member_removed"
  >;
};

/** Changes the labels and members of a locked card as an input asks for it. */
export async function changeRelations(
  { card, membership, tx }: Context,
  at: CardParents,
  input: Parameters<typeof labelChange>[0],
): Promise<void> {
  const [labels, members] = [labelChange(input), memberChange(input)];
  if (labels === null && members === null) return;
  // A creator without card:edit changes the fields of the card only.
  if (!membership.may.has("card:edit")) throw missingPermission("card:edit");
  if (labels !== null) await changeCardLabels(tx, card, at, labels);
  if (members !== null) {
    const field = members.set === undefined ? "addMemberPublicIds" : "memberPublicIds";
    await changeCardMembers(tx, card, at, members, [field]);
  }
}
