import { BoardServiceError } from "../errors.ts";
import { newKey } from "../public-id.ts";
import type { Inputs } from "../router.ts";
import { errorFrom } from "./failures.ts";
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

/** What a change is about, beside its input. */
export type Subject = Pick<Entry, "publicId"> &
  Partial<Pick<Entry, "cardPublicId" | "ifVersion" | "card" | "members">>;

/** Adds a change of a board: an operation with its input. */
export type Send = <Resource extends keyof Inputs, Verb extends keyof Inputs[Resource] & string>(
  resource: Resource,
  verb: Verb,
  input: Inputs[Resource][Verb],
  subject: Subject,
) => Write;

type Settle = { boardPublicId: string; resolve: () => void; reject: (error: Error) => void };

/** The changes of this tab whose answers are expected. */
export class Writes {
  readonly #open = new Map<string, Settle>();

  /** Adds changes of a board to the outbox. */
  sender(outbox: Outbox, boardPublicId: string): Send {
    return (resource, verb, input, subject) => {
      const id = newKey();
      const done = new Promise<void>((resolve, reject) => {
        this.#open.set(id, { boardPublicId, resolve, reject });
      });
      // The caller may ignore it: failures are reported by the store as well.
      done.catch(() => undefined);
      const operation = `${resource}.${verb}`;
      outbox.add({ ...subject, id, boardPublicId, operation, input: input ?? {} });
      return { mutationId: id, publicId: subject.publicId, done };
    };
  }

  accept(id: string): void {
    this.#open.get(id)?.resolve();
    this.#open.delete(id);
  }

  fail({ id, error }: Entry): void {
    if (error !== undefined) this.#open.get(id)?.reject(errorFrom(error));
    this.#open.delete(id);
  }

  /** Rejects the changes of a board, or of all boards: they were dropped. */
  drop(boardPublicId?: string): void {
    const error = new BoardServiceError({
      status: 403,
      code: "FORBIDDEN",
      message: "The change was dropped: its board cannot be seen.",
    });
    for (const [id, write] of this.#open) {
      if (boardPublicId !== undefined && write.boardPublicId !== boardPublicId) continue;
      write.reject(error);
      this.#open.delete(id);
    }
  }
}
