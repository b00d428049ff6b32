import { z } from "zod";

// The characters of the HTML standard, and every other letter, mark, number or sign (SMTPUTF8).
const local = /[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]|[^\p{ASCII}\p{C}\p{Z}]/u.source;
const alphanumeric = /[a-zA-Z0-9]|[^\p{ASCII}\p{C}\p{Z}\p{P}\p{S}]/u.source;
const label = `(?:${alphanumeric})(?:(?:${alphanumeric}|-){0,61}(?:${alphanumeric}))?`;
const address = new RegExp(`^(?:${local}){1,64}@${label}(?:\\.${label})*$`, "u");

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
  .max(254)
  .regex(address, { error: "Must be an email address, such as ann@example.com" })
  .meta({ format: "email" });
