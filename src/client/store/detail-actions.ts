import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import type { Send, Write } from "./writes.ts";

/** The changes of the comments of cards. */
export const commentActions = (send: Send) => ({
  create: (cardPublicId: string, comment: string): Write => {
    const publicId = newPublicId();
    const subject = { publicId, cardPublicId };
    return send("comment", "create", { ...subject, comment }, subject);
  },
  update: (cardPublicId: string, commentPublicId: string, comment: string): Write => {
    const input = { cardPublicId, commentPublicId, comment };
    return send("comment", "update", input, { publicId: commentPublicId, cardPublicId });
  },
  delete: (cardPublicId: string, commentPublicId: string): Write => {
    const input = { cardPublicId, commentPublicId };
    return send("comment", "delete", input, { publicId: commentPublicId, cardPublicId });
  },
});

/** The changes of the comments of cards. */
export interface CommentActions extends ReturnType<typeof commentActions> {}

type ItemChanges = Omit<Inputs["checklist"]["updateItem"], "checklistItemPublicId">;

/** The changes of the checklists of cards. */
export function checklistActions(send: Send) {
  const change =
    <Rest extends unknown[]>(
      verb: "update" | "delete" | "updateItem" | "deleteItem",
      idName: "checklistPublicId" | "checklistItemPublicId",
    ) =>
    (cardPublicId: string, publicId: string, ...[changes]: Rest): Write => {
      const input = { ...(changes as object), [idName]: publicId } as { checklistPublicId: string };
      return send("checklist", verb as "delete", input, { publicId, cardPublicId });
    };
  return {
    create: (cardPublicId: string, input: { name: string; items?: string[] }): Write => {
      const subject = { publicId: newPublicId(), cardPublicId };
      return send("checklist", "create", { ...input, ...subject }, subject);
    },
    update: change<[changes: { name: string }]>("update", "checklistPublicId"),
    delete: change<[]>("delete", "checklistPublicId"),
    addItem: (cardPublicId: string, checklistPublicId: string, title: string): Write => {
      const publicId = newPublicId();
      const input = { publicId, checklistPublicId, title };
      return send("checklist", "addItem", input, { publicId, cardPublicId });
    },
    updateItem: change<[changes: ItemChanges]>("updateItem", "checklistItemPublicId"),
    deleteItem: change<[]>("deleteItem", "checklistItemPublicId"),
  };
}

/** The changes of the checklists of cards. */
export interface ChecklistActions extends ReturnType<typeof checklistActions> {}
