import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn } from "../../contract/fields/field.ts";
import { showAll } from "../../domain/declared-fields.ts";
import { badRequest, failure } from "../../platform/errors.ts";
import type { WriteOptions } from "./session.ts";
import { quoted } from "./text.ts";

const names = [...fieldsIn(cardFields, "update").map(([name]) => name), "list"];
const show = showAll(cardFields);
const List = z.object({ publicId: z.string(), name: z.string() });

/** The values that a card's fields must still have, or a change of it fails. */
export const Expected = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Fails unless the card still has these values: {"list": "Doing", "dueDate": null}.');

/**
 * Compares a card with expected values when it is locked.
 *
 * A version changes with every comment; these fields only when somebody changes them.
 */
export function expecting(expected: z.output<typeof Expected>): WriteOptions["checkTarget"] {
  if (expected === undefined) return undefined;
  const unknown = Object.keys(expected).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw badRequest("unrecognized_keys", `Only ${names.join(", ")} can be expected.`, [
      "expected",
      unknown,
    ]);
  }
  return ({ card, list }) => {
    if (card === undefined) return;
    const fields: Readonly<Record<string, unknown>> = show(card, "");
    const { name, publicId } = List.parse(list);
    for (const [field, value] of Object.entries(expected)) {
      const current = field === "list" ? name : fields[field];
      const isSame =
        field === "list" ? value === publicId || isEqual(value, name) : isEqual(value, current);
      if (isSame) continue;
      const now = typeof current === "string" ? quoted(current, 200) : String(current);
      throw failure("stale", `The card has changed: ${field} is now ${now}.`, {
        path: ["expected", field],
      });
    }
  };
}

/** Whether a field has a value; a date may be written in several ways. */
function isEqual(value: unknown, current: unknown): boolean {
  if (value === current) return true;
  if (typeof value !== "string" || typeof current !== "string") return false;
  const isMoment = /^\d{4}-\d\d-\d\dT.*Z$/.test(current);
  return isMoment && Date.parse(value) === Date.parse(current);
}
