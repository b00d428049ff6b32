import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Session } from "../../contract/resources/auth.ts";
import { showSession } from "../presenters/auth.ts";

const maxSessions = 500;

/** Lists the caller's active sessions, most recently used first. */
export const sessions = query("auth.sessions")
  .meta(
    rest("Auth").get(
      "/auth/sessions",
      "List your sessions",
      "Returns the caller's active sessions, most recently used first.",
    ),
  )
  .output(z.array(Session))
  .query(async ({ ctx: { caller, db, deps } }) => {
    const rows = await db.session.findMany({
      where: { userId: caller.userId, revokedAt: null, expiresAt: { gt: deps.clock() } },
      orderBy: [{ lastUsedAt: "desc" }, { id: "desc" }],
      take: maxSessions,
    });
    return rows.map((row) => showSession(row, caller.sessionId));
  });
