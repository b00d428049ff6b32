import { newPublicId } from "../public-id.ts";
import { spotOf, type Moved, type Position } from "./card-actions.ts";
import { present } from "./fields.ts";
import type { BoardView } from "./types.ts";
import type { Send, Write } from "./writes.ts";

type View = () => BoardView | undefined;

/** The changes of the lists of a board. */
export class ListActions {
  readonly #send: Send;
  readonly #boardPublicId: string;
  readonly #view: View;
  readonly #moved: Moved;

  constructor(send: Send, boardPublicId: string, view: View, moved: Moved) {
    this.#send = send;
    this.#boardPublicId = boardPublicId;
    this.#view = view;
    this.#moved = moved;
  }

  /** Adds a list. */
  readonly create = ({
    publicId = newPublicId(),
    name,
    ...to
  }: { publicId?: string; name: string } & Position): Write => {
    const input = { publicId, name, boardPublicId: this.#boardPublicId, ...this.#indexOf(to) };
    return this.#send("list", "create", input, { publicId });
  };

  /** Changes the given fields; `null` clears `wipLimit`. */
  readonly update = (
    listPublicId: string,
    changes: { name?: string; wipLimit?: number | null },
  ): Write => this.#update(listPublicId, changes);

  readonly move = (listPublicId: string, to: Position): Write => {
    const spot = spotOf(this.#lists(), listPublicId);
    const { before, after, index = this.#lists().length - 1 } = to;
    const anchors = present({ beforeListPublicId: before, afterListPublicId: after });
    const isAnchored = (before ?? after) !== undefined;
    const write = this.#update(listPublicId, isAnchored ? anchors : { index });
    const back = spot.next === undefined ? { index: spot.index } : { before: spot.next };
    const undo = () => this.move(listPublicId, back);
    return spot.index < 0 ? write : this.#moved({ ...write, undo });
  };

  readonly archive = (listPublicId: string): Write =>
    this.#update(listPublicId, { isArchived: true });
  /** The list shows again when the service has answered. */
  readonly unarchive = (listPublicId: string): Write =>
    this.#update(listPublicId, { isArchived: false });

  /** Moves a list with its cards to the trash. */
  readonly delete = (listPublicId: string): Write =>
    this.#send("list", "delete", { listPublicId }, { publicId: listPublicId });
  /** Brings a list with its cards back from the trash. */
  readonly restore = (listPublicId: string): Write =>
    this.#send("list", "restore", { listPublicId }, { publicId: listPublicId });

  #lists() {
    return this.#view()?.lists ?? [];
  }

  #update(listPublicId: string, input: object): Write {
    return this.#send("list", "update", { ...input, listPublicId }, { publicId: listPublicId });
  }

  /** The index that a position names. */
  #indexOf({ before, after, index }: Position): { index?: number } {
    const at = this.#lists().findIndex(({ publicId }) => publicId === (before ?? after));
    if (at >= 0) return { index: before === undefined ? at + 1 : at };
    return present({ index });
  }
}

const defaultColour = "#6b7280";

/** The changes of the labels of a board. */
export class LabelActions {
  readonly #send: Send;
  readonly #boardPublicId: string;
  readonly #view: View;

  constructor(send: Send, boardPublicId: string, view: View) {
    this.#send = send;
    this.#boardPublicId = boardPublicId;
    this.#view = view;
  }

  readonly create = ({
    publicId = newPublicId(),
    ...input
  }: {
    publicId?: string;
    name: string;
    colourCode?: string;
  }): Write => {
    const fields = { colourCode: defaultColour, ...input, boardPublicId: this.#boardPublicId };
    return this.#send("label", "create", { ...fields, publicId }, { publicId });
  };

  readonly update = (publicId: string, changes: { name?: string; colourCode?: string }): Write => {
    const known = this.#view()?.labels.find((label) => label.publicId === publicId);
    const { name = known?.name ?? "", colourCode = known?.colourCode ?? defaultColour } = changes;
    const input = { labelPublicId: publicId, name, colourCode };
    return this.#send("label", "update", input, { publicId });
  };

  readonly delete = (publicId: string): Write =>
    this.#send("label", "delete", { labelPublicId: publicId }, { publicId });
}
