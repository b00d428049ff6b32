import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

/** The content of a cursor; 400 when it was not sealed for `purpose`. */
export function openCursor(seal: Seal, purpose: string, cursor: string): string {
  try {
    return seal.open(purpose, cursor);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    const message = "Invalid cursor. Send the `nextCursor` of a page of this listing.";
    throw badRequest("cursor_unknown", message, ["cursor"]);
  }
}
