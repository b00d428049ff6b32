import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { unauthorized } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { viewUser } from "../views/users.ts";
import { isPassword, isStillPassword, Password } from "./password.ts";
import { openSession, tokensFor } from "./session.ts";
import { SignedIn } from "../../contract/resources/auth.ts";

const Login = z.strictObject({ email: Email, password: Password });

/** Signs in with a password; whether an address has an account cannot be told from the answer, nor from how long it takes. */
export const login = manualMutation("auth.login", Login)
  .meta(
    rest("Auth").post(
      "/auth/login",
      "Sign in",
      "Signs in with an address and a password. The answer is the same for an unknown address and a wrong password.",
      { errors: ["UNAUTHORIZED"] },
    ),
  )
  .output(SignedIn)
  .mutation(async ({ ctx, input: { email, password } }) => {
    await ctx.deps.limits.signIn(email, ctx.requestMetadata.ip);
    const user = await ctx.db.user.findUnique({ where: { email, deletedAt: null } });
    const right = await isPassword(password, user?.passwordHash, ctx.deps.config);
    if (user === null || !right) throw wrong();
    const { held, refreshToken } = await ctx.transact(async (tx) => {
      // Whoever takes the password away meanwhile ends the sessions that there are, so none may come after.
      if (!(await isStillPassword(tx.query, user.id, user.passwordHash))) throw wrong();
      return openSession(tx, ctx, user);
    });
    return { ...(await tokensFor(ctx, held, refreshToken)), user: viewUser(user) };
  });

const wrong = () => unauthorized("The address or the password is wrong.");
