import { z } from "zod";
import { Identity } from "../../contract/resources/sign-in.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { maxIdentities } from "./account.ts";
import { showIdentity } from "../presenters/identities.ts";

/** Lists the providers that are linked to the caller's account. */
export const listIdentities = query("signIn.identities")
  .meta(
    rest("Auth").get(
      "/sign-in/identities",
      "List your linked providers",
      "Returns who the caller is at the providers that are linked to the account, oldest first.",
    ),
  )
  .output(z.array(Identity))
  .query(async ({ ctx: { caller, db } }) => {
    const rows = await db.identity.findMany({
      where: { userId: caller.userId },
      orderBy: { id: "asc" },
      take: maxIdentities,
    });
    return rows.map(showIdentity);
  });
