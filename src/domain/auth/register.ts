import { z } from "zod";
import { UserNameInput } from "../../contract/fields/shared.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, forbidden } from "../../platform/errors.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { verifiesEmail } from "../../platform/config.ts";
import { mailVerification } from "./verification.ts";
import { hashPassword, NewPassword } from "./password.ts";
import { openSession, signedIn } from "./session.ts";
import { signUpRefusal } from "../../kernel/access/provision.ts";
import { SignedIn } from "../../contract/resources/auth.ts";
import { firstRow } from "../../platform/db/query.ts";

const NewUser = z.strictObject({
  email: Email,
  password: NewPassword.meta({
    description: "The password of the account: 8 to 256 characters, and not a common one.",
    examples: ["correct horse battery staple"],
  }),
  name: UserNameInput,
});

/** Creates an account and signs it in. */
export const register = externalMutation("auth.register", NewUser)
  .meta(
    rest("Auth").post(
      "/auth/register",
      "Create an account",
      "Creates an account and signs it in. Where the server verifies addresses, it mails a token " +
        "for `auth.verifyEmail`. Until then the account cannot accept mailed invites, create API " +
        "keys, connect other services or receive notifications by mail. Returns 409 if the " +
        "address has an account, and 403 if sign-up is closed.",
      { errors: ["FORBIDDEN"] },
    ),
  )
  .output(SignedIn)
  .mutation(async ({ ctx, input }) => {
    const { email, password } = input;
    const { limits } = ctx.deps;
    const opened = await limits.signUp(ctx.requestMetadata.ip, async () => {
      const refusal = await signUpRefusal(ctx.deps.config.SIGN_UP, ctx.db, email);
      if (refusal !== undefined) throw forbidden("sign_up_refused", refusal);
      if (await isTaken(ctx.db, email)) throw emailTaken();
      const passwordHash = await hashPassword(password, ctx);
      return ctx
        .transact(async (tx) => {
          const account = await insertAccount(tx, { email, name: input.name, passwordHash });
          if (verifiesEmail(ctx.deps.config)) await mailVerification(tx, ctx.deps, account);
          return openSession(tx, ctx, account);
        })
        .catch((error: unknown) => {
          throw sqlState(error) === "23505" ? emailTaken() : error;
        });
    });
    return signedIn(ctx, opened);
  });

const isTaken = async ({ query }: Pick<DatabaseReader, "query">, email: string) =>
  (await query(sql`SELECT 1 FROM users WHERE email = ${email}`)).length > 0;

type NewAccount = Pick<User, "email" | "name" | "passwordHash">;

async function insertAccount({ query, now }: UnitOfWork, account: NewAccount): Promise<User> {
  const row = { ...account, publicId: publicId(), createdAt: now, updatedAt: now };
  return firstRow(await insertRows<User>(query, "users", [row], sql`RETURNING *`));
}

const emailTaken = () =>
  conflict(
    "email_taken",
    "An account with this email address exists. Sign in, or reset its password.",
    ["email"],
  );
