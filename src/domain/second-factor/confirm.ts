import { z } from "zod";
import { SignedIn } from "../../contract/resources/auth.ts";
import { PasskeyAnswer } from "../../contract/resources/second-factor.ts";
import { isActiveAccount } from "../../kernel/access/active-account.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest, unauthorized } from "../../platform/errors.ts";
import { countUser } from "../auth/login.ts";
import { openSession, signedIn, type Opened } from "../auth/session.ts";
import { accountOfChallenge, readFactors, takeChallenge } from "../factors/challenge.ts";
import { verifyPasskey, type UsedPasskey } from "../factors/passkey.ts";
import { useCode, usePasskey } from "../factors/verify.ts";

const Confirmation = z.strictObject({
  challenge: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: "The challenge in `secondFactor` of the issue.",
      examples: ["the-challenge-of-the-sign-in"],
    }),
  code: z
    .string()
    .min(6)
    .max(40)
    .optional()
    .meta({
      description: "The code that the app for authentication shows, or a recovery code.",
      examples: ["492039"],
    }),
  passkey: PasskeyAnswer.optional(),
});
type Answer = { code: string } | { passkey: UsedPasskey };

/** Finishes a sign-in with the second factor of the account. */
export const confirmSignIn = externalMutation("auth.confirm", Confirmation)
  .meta(
    rest("Auth").post(
      "/auth/confirm",
      "Confirm a sign-in",
      "Finishes a sign-in that was answered with `second_factor_required`, and returns tokens and " +
        "the user. Takes the challenge, and either `code` or `passkey`. A code works once. After " +
        "five wrong answers of an account within 15 minutes, it returns 429.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(SignedIn)
  .mutation(async ({ ctx, input }) => {
    const { db, deps } = ctx;
    const { challenge } = input;
    const { ip } = ctx.requestMetadata;
    if ((input.code === undefined) === (input.passkey === undefined)) {
      throw badRequest("required", "Send either `code` or `passkey`.", ["code"]);
    }
    const userId = await deps.limits.guess(ip, async () => {
      const account = await accountOfChallenge(db.query, challenge, deps.clock());
      if (account === undefined) throw invalid();
      return account;
    });
    const opened = await deps.limits.secondFactor(userId, ip, async () => {
      const answer = await read(ctx, userId, input);
      return ctx.transact((tx) => confirm(tx, ctx, { userId, challenge, answer }));
    });
    return signedIn(ctx, opened);
  });

/** The answer of the person; what a passkey has signed is verified before the account is locked. */
async function read(
  { db, deps }: Context & { db: DatabaseReader },
  userId: bigint,
  { challenge, code, passkey }: z.output<typeof Confirmation>,
): Promise<Answer> {
  if (code !== undefined) return { code };
  const factors = await readFactors(db, userId);
  const used = passkey && (await verifyPasskey(deps, challenge, passkey, factors));
  if (used === undefined) throw wrong();
  return { passkey: used };
}

async function confirm(
  tx: UnitOfWork,
  ctx: Context,
  { userId, challenge, answer }: { userId: bigint; challenge: string; answer: Answer },
): Promise<Opened> {
  const { deps } = ctx;
  // The account before its challenges and its factors: of two calls at once one waits here.
  const [user] = await tx.query<User>(
    sql`SELECT * FROM users u WHERE id = ${userId} AND ${isActiveAccount} FOR NO KEY UPDATE`,
  );
  if (user === undefined || !(await takeChallenge(tx, challenge))) throw invalid();
  const factor =
    "code" in answer
      ? await useCode(tx, deps.seal, userId, {
          code: answer.code,
          factors: await readFactors(tx, userId),
        })
      : await usePasskey(tx, userId, answer.passkey);
  if (factor === undefined) throw wrong();
  // A refusal comes before the factor is used.
  await ctx.prove?.(() => countUser(deps, user.publicId));
  return openSession(tx, ctx, user, factor);
}

const invalid = () =>
  unauthorized(
    "challenge_invalid",
    "The sign-in is unknown, has ended, or has expired after five minutes. Sign in again.",
  );

const wrong = () =>
  unauthorized(
    "second_factor_wrong",
    "The code or the answer of the passkey is wrong, or was used before.",
  );
