import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import type { Send, Write } from "./writes.ts";

/** The changes of the comments of cards. */
export const commentActions = (send: Send) => ({
  /** Adds a comment to a card. */
  create: (cardPublicId: string, comment: string): Write => {
    const subject = { publicId: newPublicId(), cardPublicId };
    return send("comment.create", { comment, ...subject }, subject);
  },
  /** Changes the text of a comment. */
  update: (cardPublicId: string, commentPublicId: string, comment: string): Write => {
    const input = { cardPublicId, commentPublicId, comment };
    return send("comment.update", input, { publicId: commentPublicId, cardPublicId });
  },
  /** Deletes a comment. */
  delete: (cardPublicId: string, commentPublicId: string): Write => {
    const input = { cardPublicId, commentPublicId };
    return send("comment.delete", input, { publicId: commentPublicId, cardPublicId });
  },
});

/** The changes of the comments of cards. */
export interface CommentActions extends ReturnType<typeof commentActions> {}

/** The fields of a checklist item. */
export type ItemChanges = Omit<Inputs["checklist"]["updateItem"], "checklistItemPublicId">;

/** The changes of the checklists of cards. */
export const checklistActions = (send: Send) => ({
  /** Adds a checklist to a card, with the titles of its items. */
  create: (cardPublicId: string, input: { name: string; items?: string[] }): Write => {
    const subject = { publicId: newPublicId(), cardPublicId };
    return send("checklist.create", { ...input, ...subject }, subject);
  },
  /** Renames a checklist. */
  update: (cardPublicId: string, publicId: string, changes: { name: string }): Write => {
    const input = { ...changes, checklistPublicId: publicId };
    return send("checklist.update", input, { publicId, cardPublicId });
  },
  /** Deletes a checklist with its items. */
  delete: (cardPublicId: string, publicId: string): Write =>
    send("checklist.delete", { checklistPublicId: publicId }, { publicId, cardPublicId }),
  /** Adds an item at the end of a checklist. */
  addItem: (cardPublicId: string, checklistPublicId: string, title: string): Write => {
    const publicId = newPublicId();
    const input = { publicId, checklistPublicId, title };
    return send("checklist.addItem", input, { publicId, cardPublicId });
  },
  /** Changes the given fields of an item, such as `isComplete`. */
  updateItem: (cardPublicId: string, publicId: string, changes: ItemChanges): Write => {
    const input = { ...changes, checklistItemPublicId: publicId };
    return send("checklist.updateItem", input, { publicId, cardPublicId });
  },
  /** Deletes an item. */
  deleteItem: (cardPublicId: string, publicId: string): Write => {
    const input = { checklistItemPublicId: publicId };
    return send("checklist.deleteItem", input, { publicId, cardPublicId });
  },
});

/** The changes of the checklists of cards. */
export interface ChecklistActions extends ReturnType<typeof checklistActions> {}
