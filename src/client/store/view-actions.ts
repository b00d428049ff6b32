import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import type { Send, Write } from "./writes.ts";

/** A new view. */
export type NewView = Omit<Inputs["view"]["create"], "workspacePublicId">;
/** The changes of a view. */
export type ViewChanges = Omit<Inputs["view"]["update"], "viewPublicId">;

/** The changes of the views of a workspace. */
export const viewActions = (send: Send, workspacePublicId: string) => ({
  /** Saves a view. */
  create: ({ publicId = newPublicId(), ...input }: NewView): Write =>
    send("view.create", { ...input, workspacePublicId, publicId }, { publicId }),
  /** Changes the given fields of a view. */
  update: (publicId: string, changes: ViewChanges): Write =>
    send("view.update", { ...changes, viewPublicId: publicId }, { publicId }),
  /** Deletes a view. */
  delete: (publicId: string): Write =>
    send("view.delete", { viewPublicId: publicId }, { publicId }),
});

/** The changes of the views of a workspace. */
export interface ViewActions extends ReturnType<typeof viewActions> {}
