import { z } from "zod";

/** An email address: trimmed and in lower case, so that an address has one account. */
export const Email = z.string().trim().toLowerCase().max(254).check(z.email());
