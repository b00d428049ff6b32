import { z } from "zod";
import { wrongFormat } from "./texts.ts";

// The characters of the HTML standard, and all that are not ASCII (SMTPUTF8).
// Brackets are escaped: in Java an unescaped one opens a class inside the class.
const local = '[^ "(),:;<>@\\[\\\\\\]]{1,64}';
const end = "[^ !-\\/:-@\\[-`{-~]";
const inner = "[^ !-,.\\/:-@\\[-`{-~]";
const label = `${end}(?:${inner}{0,61}${end})?`;
const address = new RegExp(`^${local}@${label}(?:\\.${label})*$`);

const error = "Must be an email address, such as ann@example.com";
// Spaces, control and format characters hide what an address is; so do other dots in a domain.
const isPlain = (email: string) =>
  !/[\p{C}\p{Z}]/u.test(email) && !/(?!\p{ASCII})\p{P}/u.test(email.slice(email.indexOf("@")));

/**
 * An email address of the HTML standard or SMTPUTF8.
 *
 * It is trimmed, composed and in lower case, so that an address has one account.
 */
export const Email = z
  .string()
  .trim()
  .normalize("NFC")
  .toLowerCase()
  .max(254, { abort: true })
  .regex(address, { error, abort: true })
  .refine(isPlain, { error, params: wrongFormat })
  .meta({
    format: "email",
    description: "The email address. Spaces around it and case are ignored.",
    examples: ["ada@example.com"],
  });
