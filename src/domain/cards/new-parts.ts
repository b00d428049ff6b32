import { z } from "zod";
import { ChecklistNameInput, ItemTitlesInput } from "../../contract/fields/shared.ts";
import { FieldValuesInput } from "../../contract/resources/custom-fields.ts";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { checkMembersSee } from "../../kernel/access/assignees.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";
import { keepParts } from "../parts/kept.ts";
import { setFieldValues } from "../custom-fields/values.ts";
import { insertChecklists } from "./insert-checklists.ts";

/** The input of a new checklist. */
export const NewChecklist = z.strictObject({
  name: ChecklistNameInput,
  items: ItemTitlesInput.optional(),
});

/** The input fields with the labels, members, checklists and values of a new card. */
export const newParts = {
  labelPublicIds: z
    .array(PublicId)
    .max(100)
    .meta({ description: "Public ids of labels of the board.", examples: [["l4b8e2l6x3a9"]] })
    .optional(),
  memberPublicIds: z
    .array(PublicId)
    .max(100)
    .meta({ description: "Public ids of members to assign." })
    .optional(),
  checklists: z
    .array(NewChecklist)
    .max(50)
    .meta({ description: "Checklists with the titles of their items, in order." })
    .optional(),
  fields: FieldValuesInput,
};

/** Attaches labels, members, checklists and values to a new card; answers whether there were any. */
export async function attachParts(
  tx: UnitOfWork,
  card: Card,
  {
    labelPublicIds = [],
    memberPublicIds = [],
    checklists = [],
    fields,
  }: z.output<z.ZodObject<typeof newParts>>,
): Promise<boolean> {
  if (labelPublicIds.length > 0) await attachLabels(tx, card, labelPublicIds);
  if (memberPublicIds.length > 0) await attachMembers(tx, card, memberPublicIds);
  if (checklists.length > 0) await insertChecklists(tx, card, checklists, card.createdById);
  const values = await setFieldValues(tx, card.boardId, [card], fields);
  const things = labelPublicIds.length + memberPublicIds.length + checklists.length + values.size;
  if (things > 0) void keepParts(tx.query, sql`c.id = ${card.id}`);
  return things > 0;
}

/** 404 for a label of another board. */
async function attachLabels(tx: UnitOfWork, card: Card, publicIds: string[]) {
  const { id: cardId, workspaceId, boardId } = card;
  const labels = await tx.prisma.label.findMany({
    where: { publicId: { in: publicIds }, boardId, deletedAt: null },
    select: { id: true },
  });
  if (labels.length < new Set(publicIds).size) throw notFound("label");
  await tx.prisma.cardLabel.createMany({
    data: labels.map(({ id }) => ({ cardId, labelId: id, workspaceId, createdAt: tx.now })),
  });
}

/** 404 for a member of another workspace, 409 for one who cannot see the board. */
async function attachMembers(
  tx: UnitOfWork,
  { id: cardId, workspaceId, boardId }: Card,
  publicIds: string[],
) {
  const members = await tx.prisma.member.findMany({
    where: { publicId: { in: publicIds }, workspaceId, status: { not: "removed" } },
    select: { id: true },
  });
  if (members.length < new Set(publicIds).size) throw notFound("member");
  const ids = members.map(({ id }) => id);
  await checkMembersSee(tx.query, boardId, ids, () => ["memberPublicIds"]);
  await tx.prisma.cardMember.createMany({
    data: ids.map((memberId) => ({ cardId, memberId, workspaceId, createdAt: tx.now })),
  });
}
