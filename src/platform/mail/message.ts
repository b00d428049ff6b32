import { z } from "zod";
import { notificationTypes } from "../../contract/vocabulary/notifications.ts";
import { Email } from "../../contract/vocabulary/email.ts";

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/**
 * A mail. `id` is the same for all attempts. With a `type` the user's preferences apply.
 *
 * `verbatim` holds our own addresses, codes and tokens: of these, web addresses become links.
 */
export const Mail = z.strictObject({
  id: z.string(),
  to: Email,
  subject: z.string().transform((subject) => oneLine(subject).slice(0, 250).toWellFormed()),
  text: z.string(),
  verbatim: z.array(z.string()).default([]),
  type: z.enum(notificationTypes).optional(),
});

/** A mail. */
export type Mail = z.infer<typeof Mail>;
