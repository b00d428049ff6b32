import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { eventTypes, isPersonal } from "../../contract/events.ts";
import { UserStreamItem } from "../../contract/user-events.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { membershipsIn } from "../../kernel/access/memberships.ts";
import { cursorsOf, userCursorsOf, partsOfUserCursor } from "../../kernel/events/cursor.ts";
import type { LogOwner, UserLogSource } from "../../kernel/events/hub.ts";
import { readCursor } from "../../kernel/events/log.ts";
import { userLog, workspaceLog } from "../../kernel/events/log-sql.ts";
import { query } from "../../kernel/procedures/query.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
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
    const [now, days] = [deps.clock(), deps.config.EVENT_DAYS];
    const { userId } = caller;
    const parts = cursor === undefined ? undefined : partsOfUserCursor(cursor);
    const from =
      parts === undefined
        ? undefined
        : await readCursor(deps.db.read, userLog(userId), userCursorsOf(deps.seal, userId, days), {
            cursor: parts.userCursor,
            now,
            field,
          });
    const logs: UserLogSource[] = [];
    for (const publicId of new Set(input.workspaces)) {
      const owner = await findLog(deps, publicId, credential);
      logs.push(
        await sourceOf(deps, owner, credential, { field, cursor: parts?.logs.get(publicId) }),
      );
    }
    const stream = await deps.hub.subscribeUser({ userId, credential, from, logs });
    if (signal?.aborted) stream.close();
    signal?.addEventListener("abort", () => stream.close(), { once: true });
    ctx.responseMeta.eventStream = stream;
    return stream;
  });

/** The log of a workspace that the caller may follow; 404 or 403 as `workspace.stream` answers. */
async function findLog(
  { db, clock }: ReadDeps,
  publicId: string,
  credential: Credential,
): Promise<LogOwner> {
  const [workspace] = await db.read<LogOwner>(sql`SELECT id, "publicId" FROM workspaces
    WHERE "publicId" = ${publicId} AND "deletedAt" IS NULL`);
  if (workspace === undefined) throw notFound("workspace");
  const { id } = workspace;
  const membership = (await membershipsIn(db.read, id, operation, [credential], clock()))(
    credential,
  );
  if (membership instanceof Failure) throw membership;
  return workspace;
}

// Without access events: the user's own log has them.
const types = eventTypes.filter((type) => !isPersonal(type));

async function sourceOf(
  { db, seal, clock, config }: ReadDeps,
  owner: LogOwner,
  credential: Credential,
  { field, cursor }: { field: string; cursor: string | undefined },
): Promise<UserLogSource> {
  const filter = { types, board: undefined };
  const reader = { credential, operation, workspaceId: owner.id, filter } as const;
  if (cursor === undefined) return { owner, reader, from: undefined };
  const cursors = cursorsOf(seal, owner.id, config.EVENT_DAYS);
  const at = { cursor, now: clock(), field };
  const position = await readCursor(db.read, workspaceLog(owner.id), cursors, at);
  return { owner, reader, from: { position, cursor } };
}
