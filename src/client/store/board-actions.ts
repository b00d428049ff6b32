import { newPublicId } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import { spotOf, type RecordMove, type OverrideOption, type Position } from "./card-actions.ts";
import { hasPlacement, indexIn, present } from "./fields.ts";
import type { BoardView, ListView } from "./types.ts";
import type { Send, Write } from "./writes.ts";

type View = () => BoardView | undefined;

/** A new list. */
export type NewList = Position & {
  /** Made with `newPublicId`; without it the store makes one. */
  publicId?: string;
  /** The name. */
  name: string;
};

type ListChanges = Partial<Pick<ListView, "name" | "wipLimit" | "wipMode">>;

/** A new label. */
export type NewLabel = {
  /** Made with `newPublicId`; without it the store makes one. */
  publicId?: string;
  /** The name. */
  name: string;
  /** The colour, such as `#0d9488`; without it grey. */
  colourCode?: string;
};

const placement = ({ before, after, index }: Position) =>
  present({ beforeListPublicId: before, afterListPublicId: after, index });

/** The changes of the lists of a board. */
export function listActions(send: Send, boardPublicId: string, view: View, recordMove: RecordMove) {
  const lists = () => view()?.lists ?? [];
  const change = (publicId: string, input: object): Write =>
    send("list.update", { ...input, listPublicId: publicId }, { publicId });

  const move: (listPublicId: string, to: Position) => Write = (listPublicId, to) => {
    const spot = spotOf(lists(), listPublicId);
    const fields = placement(to);
    const atEnd = { index: lists().length - 1 };
    const write = change(listPublicId, hasPlacement(fields) ? fields : atEnd);
    const back = spot.next === undefined ? { index: spot.index } : { before: spot.next };
    return spot.index < 0 ? write : recordMove({ ...write, undo: () => move(listPublicId, back) });
  };

  const create: (list: NewList) => Write = ({ publicId = newPublicId(), name, ...to }) => {
    const fields = placement(to);
    const at = hasPlacement(fields) ? { index: indexIn(lists(), fields) } : {};
    return send("list.create", { publicId, name, boardPublicId, ...at }, { publicId });
  };

  const update: (listPublicId: string, changes: ListChanges) => Write = change;

  return {
    /** Adds a list. */
    create,
    /** Changes the given fields; `null` clears `wipLimit`. */
    update,
    /** Moves a list on its board. */
    move,
    /** Archives a list: the board does not show it. */
    archive: (listPublicId: string): Write => change(listPublicId, { isArchived: true }),
    /** The list shows again when the service has answered. */
    unarchive: (listPublicId: string, options: OverrideOption = {}): Write =>
      change(listPublicId, { isArchived: false, ...options }),
    /** Moves a list with its cards to the trash. */
    delete: (publicId: string): Write =>
      send("list.delete", { listPublicId: publicId }, { publicId }),
    /** Brings a list with its cards back from the trash. */
    restore: (publicId: string, options: OverrideOption = {}): Write =>
      send("list.restore", { listPublicId: publicId, ...options }, { publicId }),
  };
}

/** The changes of the lists of a board. */
export interface ListActions extends ReturnType<typeof listActions> {}

const defaultColour = "#6b7280";

/** The changes of the labels of a board. */
export const labelActions = (send: Send, boardPublicId: string, view: View) => ({
  /** Adds a label to the board; grey without `colourCode`. */
  create: (label: NewLabel): Write => {
    const { publicId = newPublicId(), ...input } = label;
    const fields = { colourCode: defaultColour, ...input, boardPublicId, publicId };
    return send("label.create", fields, { publicId });
  },
  /** Changes the given fields. */
  update: (publicId: string, changes: { name?: string; colourCode?: string }): Write => {
    const current = view()?.labels.find((label) => label.publicId === publicId);
    const { name = current?.name ?? "", colourCode = current?.colourCode ?? defaultColour } =
      changes;
    return send("label.update", { labelPublicId: publicId, name, colourCode }, { publicId });
  },
  /** Deletes a label, also from its cards. */
  delete: (publicId: string): Write =>
    send("label.delete", { labelPublicId: publicId }, { publicId }),
});

/** The changes of the labels of a board. */
export interface LabelActions extends ReturnType<typeof labelActions> {}

/** A new custom field. */
export type NewField = Omit<Inputs["field"]["create"], "boardPublicId" | "position">;

/** The changes of a custom field. */
export type FieldChanges = Omit<Inputs["field"]["update"], "fieldPublicId" | "position">;

/** The changes of the custom fields of a board. */
export const fieldActions = (send: Send, boardPublicId: string) => ({
  /** Adds a field to the board. Its options show when the service has answered. */
  create: ({ publicId = newPublicId(), ...input }: NewField): Write =>
    send("field.create", { ...input, boardPublicId, publicId }, { publicId }),
  /** Changes and moves a field. `options` has all options in their order; others are removed. */
  update: (publicId: string, changes: FieldChanges): Write =>
    send("field.update", { ...changes, fieldPublicId: publicId }, { publicId }),
  /** Moves a field with its values to the trash. */
  delete: (publicId: string): Write =>
    send("field.delete", { fieldPublicId: publicId }, { publicId }),
  /** Brings a field with its values back from the trash. */
  restore: (publicId: string): Write =>
    send("field.restore", { fieldPublicId: publicId }, { publicId }),
});

/** The changes of the custom fields of a board. */
export interface FieldActions extends ReturnType<typeof fieldActions> {}
