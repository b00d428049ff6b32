import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { activeKeys } from "./key-scope.ts";
import { ApiKey } from "../../contract/resources/auth.ts";
import { showApiKey, withBounds } from "../presenters/auth.ts";

/** Lists the caller's active API keys and connected apps, newest first, without their secrets. */
export const apiKeys = query("auth.apiKeys")
  .meta(
    rest("Auth").get(
      "/auth/api-keys",
      "List your API keys and apps",
      "Returns the caller's active API keys and connected apps, newest first, without the keys " +
        "themselves.",
    ),
  )
  .output(z.array(ApiKey))
  .query(async ({ ctx: { caller, db, deps } }) => {
    const keys = await db.apiKey.findMany({
      where: activeKeys(caller.userId, deps.clock()),
      orderBy: { id: "desc" },
      include: withBounds,
    });
    return keys.map(showApiKey);
  });
