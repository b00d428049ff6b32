import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { live } from "./key-scope.ts";
import { ApiKey } from "../../contract/resources/auth.ts";
import { viewApiKey, withBounds } from "../views/auth.ts";

/** The caller's API keys that are good, the newest first; never the keys themselves. */
export const apiKeys = query("auth.apiKeys")
  .meta(
    rest("Auth").get(
      "/auth/api-keys",
      "List the caller's API keys",
      "The caller's API keys that are good, the newest first; never the keys themselves.",
    ),
  )
  .output(z.array(ApiKey))
  .query(async ({ ctx: { caller, db, deps } }) => {
    const keys = await db.apiKey.findMany({
      where: live(caller.userId, deps.clock()),
      orderBy: { id: "desc" },
      include: withBounds,
    });
    return keys.map(viewApiKey);
  });
