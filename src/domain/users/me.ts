import { query } from "../../kernel/procedures/query.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { rest } from "../../kernel/request/rest.ts";
import { User } from "../../contract/resources/users.ts";
import { showUser } from "../presenters/users.ts";

/** Returns the caller's account. */
export const me = query("user.me")
  .meta(
    rest("Users").get(
      "/users/me",
      "Get your account",
      "Returns the account that the credential belongs to. This works with API keys too.",
    ),
  )
  .output(User)
  .query(async ({ ctx: { caller, db, responseMeta } }) => {
    const user = await db.user.findUnique({ where: { id: caller.userId } });
    if (user === null) throw credentialExpired();
    responseMeta.version = user.version;
    return showUser(user);
  });
