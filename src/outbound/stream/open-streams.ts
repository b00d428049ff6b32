import type { EventHub, UserLogSource } from "../../kernel/events/hub.ts";
import { endOfLog } from "../../kernel/events/log.ts";
import { userLog } from "../../kernel/events/log-sql.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { LogTails } from "./log-tails.ts";
import { Subscription } from "./subscription.ts";
import type { UserLogs } from "./user-logs.ts";
import { UserStream } from "./user-stream.ts";

/** Opens a stream of a workspace's log until a time; it calls `onClose` at its end. */
export type Subscribe = (
  source: UserLogSource,
  until: Date,
  onClose?: () => void,
) => Promise<Subscription>;

/** Opens streams of logs with the tails of this process. */
export const subscriber =
  (deps: Omit<Deps, "hub">, useTail: LogTails["use"]): Subscribe =>
  async ({ owner, reader, from }, until, onClose) => {
    const { tail, release } = await useTail(owner);
    const start = from ?? { position: tail.position, cursor: tail.cursor };
    const close = () => {
      release();
      onClose?.();
    };
    const life = { clock: deps.clock, until, onClose: close };
    return new Subscription(deps, tail, { reader, from: start }, life);
  };

/** Opens the stream of a user with the logs of some workspaces. */
export async function openUserStream(
  deps: Omit<Deps, "hub">,
  users: UserLogs,
  subscribe: Subscribe,
  {
    userId,
    credential,
    from,
    logs,
    until,
    onClose,
  }: Parameters<EventHub["subscribeUser"]>[0] & { until: Date; onClose: () => void },
): Promise<UserStream> {
  const open = new Map<string, Subscription>();
  try {
    const position = from ?? (await endOfLog(deps.db.read, userLog(userId)));
    for (const source of logs) open.set(source.owner.publicId, await subscribe(source, until));
    const close = () => {
      stopReading();
      onClose();
    };
    const life = { clock: deps.clock, until, onClose: close };
    const stream = new UserStream(deps, { userId, credential, position }, open, life);
    const stopReading = users.add(stream);
    return stream;
  } catch (error) {
    for (const subscription of open.values()) subscription.close();
    throw error;
  }
}
