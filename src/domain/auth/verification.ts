import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Unsealable } from "../../platform/crypto/seal.ts";
import { verifyEmailPage } from "../../platform/frontend-pages.ts";

type Account = { publicId: string; email: string };
type SealDeps = Pick<Deps, "seal">;

const lifetimeMs = 24 * 60 * 60 * 1000;
const purpose = "email verification";

/** A token that proves access to the mailbox of an account, for 24 hours. It is stored nowhere. */
export const verificationToken = ({ seal }: SealDeps, { publicId, email }: Account, now: Date) =>
  seal.seal(purpose, JSON.stringify([publicId, email, now.getTime() + lifetimeMs]));

/** Whether a token is valid for an account at `now`. */
export function isVerificationOf(
  { seal }: SealDeps,
  token: string,
  { publicId, email }: Account,
  now: Date,
): boolean {
  try {
    const [id, address, expires] = JSON.parse(seal.open(purpose, token));
    return id === publicId && address === email && now.getTime() < expires;
  } catch (error) {
    if (error instanceof Unsealable) return false;
    throw error;
  }
}

/** Mails a verification token to the address of an account. */
export function mailVerification(
  tx: Pick<UnitOfWork, "query" | "now">,
  deps: SealDeps & Pick<Deps, "config" | "baseUrl">,
  account: Account,
): Promise<void> {
  const token = verificationToken(deps, account, tx.now);
  const endpoint = `${deps.baseUrl}/api/v1/auth/verify-email`;
  const page = verifyEmailPage(deps.config, token);
  const { lines, verbatim } = tokenLines(page, token, ", signed in,", endpoint);
  const text =
    "An account was created with this email address. Verify that the address is yours.\n\n" +
    `${lines}\n\n` +
    "It works within 24 hours, while you are signed in. If you did not create the account, " +
    "ignore this mail.";
  const mail = { to: account.email, subject: "Verify your email address", text, verbatim };
  return queueMail(tx, deps, mail, { signIn: true });
}

/** The lines of a mail with a token: the frontend's page, or the token and where to send it. */
export function tokenLines(page: string | undefined, token: string, how: string, endpoint: string) {
  return page === undefined
    ? { lines: `The token is ${token}\nSend it${how} to ${endpoint}`, verbatim: [token, endpoint] }
    : { lines: page, verbatim: [page] };
}
