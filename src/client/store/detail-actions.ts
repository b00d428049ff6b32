import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import type { Send, Write } from "./writes.ts";

/** The changes of the comments of cards. */
export class CommentActions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly create = (cardPublicId: string, comment: string): Write => {
    const publicId = newPublicId();
    const input = { publicId, cardPublicId, comment };
    return this.#send("comment", "create", input, { publicId, cardPublicId });
  };

  readonly update = (cardPublicId: string, commentPublicId: string, comment: string): Write => {
    const input = { cardPublicId, commentPublicId, comment };
    return this.#send("comment", "update", input, { publicId: commentPublicId, cardPublicId });
  };

  readonly delete = (cardPublicId: string, commentPublicId: string): Write => {
    const input = { cardPublicId, commentPublicId };
    return this.#send("comment", "delete", input, { publicId: commentPublicId, cardPublicId });
  };
}

type ItemChanges = Omit<Inputs["checklist"]["updateItem"], "checklistItemPublicId">;

/** The changes of the checklists of cards. */
export class ChecklistActions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly create = (cardPublicId: string, input: { name: string; items?: string[] }): Write => {
    const publicId = newPublicId();
    const subject = { publicId, cardPublicId };
    return this.#send("checklist", "create", { ...input, ...subject }, subject);
  };

  readonly update = (cardPublicId: string, publicId: string, changes: { name: string }): Write => {
    const input = { ...changes, checklistPublicId: publicId };
    return this.#send("checklist", "update", input, { publicId, cardPublicId });
  };

  readonly delete = (cardPublicId: string, publicId: string): Write => {
    const input = { checklistPublicId: publicId };
    return this.#send("checklist", "delete", input, { publicId, cardPublicId });
  };

  readonly addItem = (cardPublicId: string, checklistPublicId: string, title: string): Write => {
    const publicId = newPublicId();
    const input = { publicId, checklistPublicId, title };
    return this.#send("checklist", "addItem", input, { publicId, cardPublicId });
  };

  readonly updateItem = (cardPublicId: string, publicId: string, changes: ItemChanges): Write => {
    const input = { ...changes, checklistItemPublicId: publicId };
    return this.#send("checklist", "updateItem", input, { publicId, cardPublicId });
  };

  readonly deleteItem = (cardPublicId: string, publicId: string): Write => {
    const input = { checklistItemPublicId: publicId };
    return this.#send("checklist", "deleteItem", input, { publicId, cardPublicId });
  };
}
