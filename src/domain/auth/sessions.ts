import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Session } from "../../contract/resources/auth.ts";
import { viewSession } from "../views/auth.ts";

const most = 500;

/** Where the caller is signed in, the last used first. */
export const sessions = query("auth.sessions")
  .meta(
    rest("Auth").get(
      "/auth/sessions",
      "List the caller's sessions",
      "The places where the caller is signed in, the last used first.",
    ),
  )
  .output(z.array(Session))
  .query(async ({ ctx: { caller, db, deps } }) => {
    const rows = await db.session.findMany({
      where: { userId: caller.userId, revokedAt: null, expiresAt: { gt: deps.clock() } },
      orderBy: [{ lastUsedAt: "desc" }, { id: "desc" }],
      take: most,
    });
    return rows.map((row) => viewSession(row, caller.sessionId));
  });
