import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { eventTypes, isPersonal } from "../../contract/events.ts";
import { UserStreamItem } from "../../contract/user-events.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { membershipsIn } from "../../kernel/access/memberships.ts";
import { partsOfUserCursor } from "../../kernel/events/cursor.ts";
import type { LogOwner, LogSource } from "../../kernel/events/hub.ts";
import { userLog, workspaceLog, type Log } from "../../kernel/events/logs.ts";
import { query } from "../../kernel/procedures/query.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { startOf } from "./open-streams.ts";
import { Failure, notFound } from "../../platform/errors.ts";

const maxWorkspaces = 20;
const cursorLength = 8_000;
const operation = "workspace.stream";

const cursorField = (description: string) =>
  z.string().min(1).max(cursorLength).meta({ description }).optional();

const UserStreamStart = z.strictObject({
  workspaces: z
    .array(PublicId)
    .max(maxWorkspaces)
    .meta({ description: "Public ids of the workspaces whose events the stream has too." })
    .optional(),
  cursor: cursorField("The id of the last event; `now` or absent for new events only."),
  lastEventId: cursorField(
    "Replaces `cursor` for clients that reconnect and cannot send the `Last-Event-ID` header.",
  ),
});

/** Streams what happens to the caller, and the events of some workspaces. */
export const streamUserEvents = query("user.stream", UserStreamStart)
  .meta(
    rest("Users").get(
      "/users/me/events/stream",
      "Stream your events",
      "Streams the caller's events as server-sent events: notifications, favourites, " +
        "invitations, workspaces joined or left, and `access.*` of all workspaces. With " +
        "`workspaces` it also sends the events of these workspaces, as `workspace.stream` does. " +
        "`ended` names a workspace to which the caller lost access. Cursors, `resync` and the " +
        "end work as in `workspace.stream`. Each workspace counts as one stream towards the " +
        "limit of streams.",
      { events: UserStreamItem, errors: ["NOT_FOUND", "FORBIDDEN"] },
    ),
  )
  .subscription(async ({ ctx, input, signal }) => {
    const { caller, deps } = ctx;
    const credential = requireCredential(ctx);
    const field = input.lastEventId === undefined ? "cursor" : "lastEventId";
    const cursor = input.lastEventId ?? (input.cursor === "now" ? undefined : input.cursor);
    const parts = cursor === undefined ? undefined : partsOfUserCursor(cursor);
    const startIn = (log: Log, of: string | undefined) => startOf(deps, log, { field, cursor: of });
    const own: LogSource = {
      owner: { id: caller.userId, publicId: caller.publicId },
      reader: { credential, operation: "user.stream", filter: {} },
      from: await startIn(userLog(caller.userId), parts?.userCursor),
    };
    const logs: LogSource[] = [];
    for (const publicId of new Set(input.workspaces)) {
      const owner = await findLog(deps, publicId, credential);
      const from = await startIn(workspaceLog(owner.id), parts?.logs.get(publicId));
      logs.push({ owner, reader: { credential, operation, filter: { types } }, from });
    }
    const stream = await deps.hub.subscribeUser({ own, logs });
    if (signal?.aborted) stream.close();
    signal?.addEventListener("abort", () => stream.close(), { once: true });
    ctx.responseMeta.eventStream = stream;
    return stream;
  });

/** The log of a workspace that the caller may follow; 404 or 403 as `workspace.stream` answers. */
async function findLog(
  deps: ReadDeps,
  publicId: string,
  credential: Credential,
): Promise<LogOwner> {
  const { db } = deps;
  const [workspace] = await db.read<LogOwner>(sql`SELECT id, "publicId" FROM workspaces
    WHERE "publicId" = ${publicId} AND "deletedAt" IS NULL`);
  if (workspace === undefined) throw notFound("workspace");
  const { id } = workspace;
  const membership = (await membershipsIn(db.read, id, operation, [credential], deps))(credential);
  if (membership instanceof Failure) throw membership;
  return workspace;
}

// Without access events: the user's own log has them.
const types = eventTypes.filter((type) => !isPersonal(type));
