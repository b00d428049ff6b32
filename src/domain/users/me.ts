import { query } from "../../kernel/procedures/query.ts";
import { credentialExpired } from "../../kernel/access/authorize.ts";
import { rest } from "../../kernel/request/rest.ts";
import { User } from "../../contract/resources/users.ts";
import { viewUser } from "../views/users.ts";

/** The account of whoever is calling. */
export const me = query("user.me")
  .meta(
    rest("Users").get(
      "/users/me",
      "Read the caller's account",
      "The account of whoever is calling, also with an API key.",
    ),
  )
  .output(User)
  .query(async ({ ctx: { caller, db, responseMeta } }) => {
    const user = await db.user.findUnique({ where: { id: caller.userId } });
    if (user === null) throw credentialExpired();
    responseMeta.version = user.version;
    return viewUser(user);
  });
