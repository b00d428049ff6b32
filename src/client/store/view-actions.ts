import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import { timeOf, type Pending } from "./fields.ts";
import { byName } from "./tree.ts";
import type { LiveData } from "./types.ts";
import type { Send, Write } from "./writes.ts";

type Views = LiveData["views"];
type ViewOfList = Views[number];

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

/** A view as its create makes it, before the service has answered. */
function newView(change: Pending): ViewOfList {
  const input = change.input as Inputs["view"]["create"];
  const { scope = "private", layout = "board" } = input;
  const createdAt = timeOf(change);
  return {
    publicId: change.publicId,
    name: input.name,
    scope,
    layout,
    boardPublicId: input.boardPublicId ?? null,
    boards: input.boards ?? null,
    filter: input.filter ?? null,
    sortBy: (input.sortBy ?? []) as ViewOfList["sortBy"],
    groupBy: input.groupBy ?? null,
    version: 0,
    createdAt,
    updatedAt: createdAt,
    workspacePublicId: input.workspacePublicId,
    createdBy: null,
    isBroken: false,
    broken: [],
  };
}

/** Views with one change. */
function withChange(views: Views, change: Pending): Views {
  const { operation, publicId, input } = change;
  const others = views.filter((view) => view.publicId !== publicId);
  if (operation === "view.delete") return others;
  if (operation === "view.create")
    return others.length < views.length ? views : [...views, newView(change)].toSorted(byName);
  if (operation !== "view.update") return views;
  const { viewPublicId: _, ...fields } = input;
  return views.map((view) => (view.publicId === publicId ? { ...view, ...fields } : view));
}

/** Views with the changes that are not confirmed yet. */
export const withViewChanges = (views: Views, changes: readonly Pending[]): Views =>
  changes.reduce(withChange, views);
