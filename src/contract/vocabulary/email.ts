import { z } from "zod";

/** An e-mail address as input: trimmed, and kept in lower case, so that an address has one account however it is written. */
export const Email = z.string().trim().toLowerCase().max(254).check(z.email());
