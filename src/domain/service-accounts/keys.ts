import { z } from "zod";
import { ApiKey } from "../../contract/resources/auth.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { activeKeys } from "../auth/key-scope.ts";
import { showApiKey, withBounds } from "../presenters/auth.ts";
import { findServiceAccount } from "./find.ts";

/** Lists the active keys of a service account, newest first, without their secrets. */
export const serviceAccountKeys = query("serviceAccount.keys")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/service-accounts/{memberPublicId}/keys",
      "List a service account's keys",
      "Returns the active API keys of a service account, newest first, without the keys " +
        "themselves. API keys cannot call this.",
    ),
  )
  .output(z.array(ApiKey))
  .query(async ({ ctx: { member, db, deps } }) => {
    const account = await findServiceAccount(db.query, member);
    const keys = await db.apiKey.findMany({
      where: activeKeys(account.id, deps.clock()),
      orderBy: { id: "desc" },
      include: withBounds,
    });
    return keys.map(showApiKey);
  });
