import { verifiesEmail, type Config } from "../../platform/config.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { PrismaTransaction } from "../../platform/db/transaction.ts";
import { failure } from "../../platform/errors.ts";

type Users = Pick<DatabaseReader | PrismaTransaction, "user">;
type Settings = Pick<Config, "VERIFY_EMAIL" | "SMTP_URL">;

/** Whether an account may act as the owner of its address. */
async function mayActForEmail(config: Settings, { user }: Users, id: bigint) {
  if (!verifiesEmail(config)) return true;
  const { emailVerifiedAt } = await user.findUniqueOrThrow({
    where: { id },
    select: { emailVerifiedAt: true },
  });
  return emailVerifiedAt !== null;
}

/**
 * 403 while the address of an account is not verified.
 *
 * Another person may have registered it. The account can sign in and work. It must not act for the
 * owner of the address, nor create credentials that stay valid after the owner claims it.
 */
export async function requireVerifiedEmail(config: Settings, db: Users, id: bigint) {
  if (await mayActForEmail(config, db, id)) return;
  throw failure(
    "email_not_verified",
    "Verify your email address first. POST /auth/verify-email/resend mails a new token.",
  );
}
