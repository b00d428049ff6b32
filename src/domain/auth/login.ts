import { requireEnabled } from "../../kernel/access/active-account.ts";
import { networkOf } from "../../kernel/request/network.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { unauthorized } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { verifyPassword, lockIfPasswordUnchanged, Password } from "./password.ts";
import { openSession, signedIn } from "./session.ts";
import { SignedIn } from "../../contract/resources/auth.ts";
import { userClient } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";

/** Counts calls for a user who has just signed in, as the calls of a session are counted. */
export const countUser = ({ limits }: Pick<Deps, "limits">, publicId: string, calls = 1) =>
  limits.credential({ credential: publicId, user: userClient(publicId) }, calls);

/** How many calls a sign-in counts as: it hashes a password. */
const signInCalls = 5;

const Login = z.strictObject({
  email: Email,
  password: Password.meta({
    description: "The password of the account.",
    examples: ["correct horse battery staple"],
  }),
});

/** Signs in with a password. Response and timing do not reveal whether the account exists. */
export const login = externalMutation("auth.login", Login)
  .meta(
    rest("Auth").post(
      "/auth/login",
      "Sign in with a password",
      "Signs in with an email address and a password, and returns tokens and the user. Returns " +
        "401 if either is wrong; the response does not tell which. Returns 403 " +
        "(`second_factor_required`) for an account with a second factor: `secondFactor` of the issue " +
        "has the challenge for `auth.confirm`.",
      { errors: ["UNAUTHORIZED", "FORBIDDEN"] },
    ),
  )
  .output(SignedIn)
  .mutation(async ({ ctx, input: { email, password } }) => {
    const { limits } = ctx.deps;
    const { ip } = ctx.requestMetadata;
    const isKnownNetwork = () => hasSignedInFrom(ctx.db, email, ip);
    const user = await limits.signIn(email, ip, isKnownNetwork, async () => {
      const account = await ctx.db.user.findUnique({ where: { email, deletedAt: null } });
      const isCorrect = await verifyPassword(password, account?.passwordHash, ctx);
      if (account !== null && isCorrect) {
        requireEnabled(account);
        return account;
      }
      await limits.wrongPassword(email);
      throw wrong();
    });
    await ctx.prove?.(() => countUser(ctx.deps, user.publicId, signInCalls));
    const opened = await ctx.transact(async (tx) => {
      // A concurrent password change revokes all sessions. No session may be created after it.
      if (!(await lockIfPasswordUnchanged(tx.query, user.id, user.passwordHash))) throw wrong();
      return openSession(tx, ctx, user);
    });
    return signedIn(ctx, opened);
  });

const wrong = () => unauthorized("sign_in_failed", "The email address or the password is wrong.");

const maxAddresses = 500;

/** Whether an account has signed in from the network of a client address. */
async function hasSignedInFrom(
  { session }: Pick<DatabaseReader, "session">,
  email: string,
  ip: string,
): Promise<boolean> {
  const rows = await session.findMany({
    where: { user: { email, deletedAt: null } },
    select: { ip: true },
    distinct: ["ip"],
    orderBy: { lastUsedAt: "desc" },
    take: maxAddresses,
  });
  const network = networkOf(ip);
  return rows.some((row) => row.ip !== null && networkOf(row.ip) === network);
}
