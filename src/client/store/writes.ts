import { newKey } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import { BoardServiceError } from "../errors.ts";
import { isOf } from "./changes.ts";
import { denied } from "./failures.ts";
import type { Outbox } from "./outbox.ts";
import type { Entry } from "./types.ts";

/** One change. It shows at once. */
export type Write = {
  /** The `Idempotency-Key`, and the `mutationId` of its events. */
  mutationId: string;
  /** The resource; of a create the id that the client made. */
  publicId: string;
  /** Resolves when the service has accepted the change, rejects when it has refused it. */
  done: Promise<void>;
  /** Of a move: moves the resource back. */
  undo?: () => Write;
};

/** What a change is about, in addition to its input. */
export type Subject = Pick<Entry, "publicId"> &
  Partial<Pick<Entry, "cardPublicId" | "ifVersion" | "card" | "members">>;

/** The resources that a store changes. */
type Changed = "board" | "list" | "card" | "label" | "field" | "checklist" | "comment" | "view";
/** The name of an operation, such as `card.update`. */
type OperationName = { [R in Changed]: `${R}.${keyof Inputs[R] & string}` }[Changed];
type InputOf<Name> = Name extends `${infer R extends Changed}.${infer Verb}`
  ? Verb extends keyof Inputs[R]
    ? Inputs[R][Verb] & object
    : never
  : never;

/** Adds a change of a board: an operation with its input. */
export type Send = <Name extends OperationName>(
  operation: Name,
  input: InputOf<Name>,
  subject: Subject,
) => Write;

type Settle = { boardPublicId: string; resolve: () => void; reject: (error: Error) => void };

/** The changes of this tab whose answers are expected. */
export type Writes = {
  /** Adds changes of a board to the outbox. */
  sender(outbox: Outbox, boardPublicId: string): Send;
  accept(id: string): void;
  fail(entry: Entry): void;
  /** Rejects the changes of a board, or of all boards: they were dropped. */
  drop(boardPublicId?: string): void;
};

/** Collects the changes of this tab. */
export function openWrites(): Writes {
  const open = new Map<string, Settle>();
  return {
    sender: (outbox, boardPublicId) => (operation, input, subject) => {
      const id = newKey();
      const done = new Promise<void>((resolve, reject) => {
        open.set(id, { boardPublicId, resolve, reject });
      });
      // The caller may ignore it: failures are reported by the store as well.
      done.catch(() => undefined);
      outbox.add({ ...subject, id, boardPublicId, operation, input });
      return { mutationId: id, publicId: subject.publicId, done };
    },
    accept(id) {
      open.get(id)?.resolve();
      open.delete(id);
    },
    fail({ id, error }) {
      if (error !== undefined) open.get(id)?.reject(new BoardServiceError(error));
      open.delete(id);
    },
    drop(boardPublicId) {
      for (const [id, write] of open) {
        if (!isOf(boardPublicId)(write)) continue;
        write.reject(denied());
        open.delete(id);
      }
    },
  };
}
