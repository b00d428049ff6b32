import type { z } from "zod";
import type { AddedSecondFactor } from "../../contract/resources/second-factor.ts";
import { name } from "../../contract/vocabulary/texts.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { SecondFactor } from "../../platform/db/rows.ts";
import { conflict } from "../../platform/errors.ts";
import { confirmOwner, OwnerPassword } from "../auth/confirm-owner.ts";
import { showSecondFactor } from "../presenters/second-factors.ts";
import { countRecoveryCodes, readFactors } from "../factors/challenge.ts";
import { replaceRecoveryCodes } from "../factors/recovery-codes.ts";

const maxFactors = 20;

/** The name that the owner gives to a factor. */
export const FactorName = name(64).meta({
  description: "What the owner calls it.",
  examples: ["Laptop"],
});

/** What each new factor is given. */
export const newFactorFields = {
  name: FactorName.optional(),
  password: OwnerPassword,
};

type Adding = Context & {
  caller: Caller;
  db: DatabaseReader;
  transact: <Result>(run: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
};
type Insert = (tx: UnitOfWork, factors: SecondFactor[]) => Promise<SecondFactor>;

/**
 * Adds a factor to the caller's account, after the owner has confirmed it.
 *
 * The first one ends the other sessions, which were opened without it, and brings recovery codes.
 */
export async function addFactor(
  ctx: Adding,
  password: string | undefined,
  insert: Insert,
): Promise<z.infer<typeof AddedSecondFactor>> {
  const { caller, credential, deps } = ctx;
  if ("kind" in credential && credential.kind === "issuer" && credential.claims?.mfa !== true) {
    throw conflict(
      "issuer_signs_in",
      "You are signed in by a token of the issuer, which would no longer be enough. Set the second " +
        "factor up at the issuer, or sign in here first.",
    );
  }
  const confirm = await confirmOwner(ctx, { isUnrestricted: true, password });
  return ctx.transact(async (tx) => {
    await confirm(tx);
    const factors = await readFactors(tx, caller.userId);
    if (factors.length >= maxFactors) {
      throw conflict("limit_exceeded", `An account has at most ${maxFactors} second factors.`);
    }
    const factor = await insert(tx, factors);
    if (factors.length === 0) await endOtherSessions(tx, caller);
    const hasCodes = (await countRecoveryCodes(tx, caller.userId)) > 0;
    const recoveryCodes = hasCodes ? null : await replaceRecoveryCodes(tx, caller.userId);
    await tellOwner(tx, deps, caller.email, {
      subject: "A second factor was added",
      sentence: `The second factor "${factor.name}" was added to your account.`,
    });
    return { factor: showSecondFactor(factor), recoveryCodes };
  });
}

const endOtherSessions = ({ prisma, now }: UnitOfWork, { userId, sessionId }: Caller) =>
  prisma.session.updateMany({
    where: { userId, revokedAt: null, id: { not: sessionId ?? 0n } },
    data: { revokedAt: now },
  });

/** Mails the owner of an account what has changed of its second factors. */
export const tellOwner = (
  tx: UnitOfWork,
  deps: Deps,
  to: string,
  { subject, sentence }: { subject: string; sentence: string },
): Promise<void> =>
  queueMail(tx, deps, {
    to,
    subject,
    text:
      `${sentence}\n\nIf it was not you, reset your password: this ends all sessions, keys and links ` +
      "to providers. Then look at your second factors, and make new recovery codes.",
  });
