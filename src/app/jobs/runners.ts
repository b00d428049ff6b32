import { anonymizeUser } from "../../domain/users/anonymize.ts";
import { mailPasswordReset } from "../../domain/auth/mail-password-reset.ts";
import type { Runners } from "../../kernel/jobs/run.ts";
import { digest } from "../../outbound/notifications/digest.ts";
import { dueSoon } from "../../outbound/notifications/due-soon.ts";
import { sendMail } from "../../outbound/notifications/send-mail.ts";
import { purge } from "./purge.ts";

/** The runner of each job type. */
export const runners: Runners = {
  mail: sendMail,
  passwordReset: mailPasswordReset,
  digest,
  dueSoon,
  purge,
  import: async (...job) => {
    const { importJobRunner } = await import("../../transfer/imports/registry.ts");
    return importJobRunner(...job);
  },
  anonymizeUser,
};
