import { z } from "zod";
import { OperatorUser } from "../../contract/resources/operator.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import { present } from "../../kernel/events/changes.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { verifiesEmail } from "../../platform/config.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { mailVerification } from "../auth/verification.ts";
import { emitMemberUpdates } from "../users/sync-profile.ts";
import { lockUser, requireOtherOperator } from "../users/lock-user.ts";
import { readUser, showUser } from "./user-rows.ts";

const Change = z.strictObject({
  userPublicId: inputId("user"),
  isDisabled: z
    .boolean()
    .meta({
      description:
        "Disables the account, or enables it. Disabling ends its sessions, API keys, streams and " +
        "connections at once; enabling does not bring them back.",
      examples: [true],
    })
    .optional(),
  isOperator: z
    .boolean()
    .meta({ description: "Makes the account an operator's, or no longer.", examples: [false] })
    .optional(),
  email: Email.optional(),
  isEmailVerified: z
    .boolean()
    .meta({
      description:
        "Whether the address counts as verified. A new `email` does not unless this is set.",
      examples: [true],
    })
    .optional(),
});

/** Changes an account: disables it, makes it an operator's, changes or verifies its address. */
export const updateUser = mutation("operator.updateUser", Change)
  .meta(
    rest("Operator").put(
      "/operator/users/{userPublicId}",
      "Change an account",
      "Disables or enables an account, makes it an operator's, changes its email address or says " +
        "whether the address is verified. Only the given fields change. A disabled account " +
        "cannot sign in in any way. Mails a verification token to a new address that is not " +
        "verified, if the service verifies addresses. Returns 409 if the address is taken, or if " +
        "the account is the last operator and the service has no `ADMIN_KEY`.",
    ),
  )
  .output(OperatorUser)
  .mutation(async ({ ctx: { deps, tx }, input: { userPublicId, ...change } }) => {
    const { user, isLastOperator } = await lockUser(tx, userPublicId);
    const ends = change.isDisabled === true || change.isOperator === false;
    if (ends) requireOtherOperator(isLastOperator, deps.config);
    const email = change.email === user.email ? undefined : change.email;
    if (email !== undefined) await changeAddress(tx, user, email);
    const isVerified = change.isEmailVerified ?? (email === undefined ? undefined : false);
    const verifiedBefore = email === undefined ? user.emailVerifiedAt : null;
    const update = tx.prisma.user.update({
      where: { id: user.id },
      data: {
        ...present({
          email,
          isOperator: change.isOperator,
          disabledAt: since(change.isDisabled, user.disabledAt ?? tx.now),
          emailVerifiedAt: since(isVerified, verifiedBefore ?? tx.now),
        }),
        version: { increment: 1 },
        updatedAt: tx.now,
      },
    });
    // Another account may have got the address meanwhile.
    await update.catch((error: unknown) => {
      throw sqlState(error) === "23505" ? emailTaken("account") : error;
    });
    if (change.isDisabled === true) await revokeCredentials(tx, user.id, tx.now);
    if (email !== undefined && isVerified === false && verifiesEmail(deps.config)) {
      await mailVerification(tx, deps, { publicId: user.publicId, email });
    }
    return showUser(await readUser(tx.query, userPublicId));
  });

/** When a state began: null if it does not hold, undefined if it stays. */
const since = (holds: boolean | undefined, at: Date) =>
  holds === undefined ? undefined : holds ? at : null;

/** Changes the address in the account's workspaces. Mailed tokens of the old one end. */
async function changeAddress(
  tx: UnitOfWork<"member.updated">,
  { id }: Pick<User, "id">,
  email: string,
): Promise<void> {
  const [taken] = await tx.query<{ holder: string }>(sql`
    SELECT 'account' AS holder FROM users WHERE email = ${email}
    UNION ALL SELECT 'workspace' FROM members other JOIN members m
      ON m."workspaceId" = other."workspaceId" AND m."userId" = ${id}
    WHERE other.email = ${email} AND other.id <> m.id LIMIT 1`);
  if (taken !== undefined) throw emailTaken(taken.holder);
  await tx.prisma.member.updateMany({ where: { userId: id }, data: { email } });
  await tx.prisma.passwordReset.updateMany({
    where: { userId: id, usedAt: null },
    data: { usedAt: tx.now },
  });
  await emitMemberUpdates(tx, id);
}

const emailTaken = (holder: string) =>
  conflict(
    "email_taken",
    holder === "account"
      ? "Another account has this email address."
      : "A workspace of the account has another member, or an invitation, with this address.",
    ["email"],
  );
