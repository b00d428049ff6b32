import type { Caller } from "./new-rows.ts";
import { boardFeed, userFeed as ofUser, type LiveHost } from "./live.ts";
import { SubscriptionCache, type Subscriptions } from "./subscriptions.ts";
import { once } from "./once.ts";
import type { Replica } from "./replica.ts";
import { UserFeed } from "./user-feed.ts";

type FollowHost = Omit<LiveHost, "follow" | "onChange"> & { replica: Replica };

/** Opens the data of a store other than boards, and the feed of its user. */
export function openSubscriptions({ replica, ...host }: FollowHost) {
  const { client, waiting, connection, saved } = host;
  const userFeed = new UserFeed(client, waiting, {
    workspaces: () => subscriptions.workspaceIds(),
    onEvent: (event) => subscriptions.handle(event),
    onGap: () => subscriptions.refresh(ofUser),
    connection,
  });
  const follow = (feed: string) => {
    if (feed === ofUser) return userFeed.open();
    const [, board] = feed.split(boardFeed(""));
    return board === undefined ? replica.hold(feed) : replica.open(replica.copy(board));
  };
  const subscriptions: SubscriptionCache = new SubscriptionCache(
    { ...host, follow, onChange: () => userFeed.check() },
    async (id) => (await saved.boardsOf(id)).map(({ board }) => board),
  );
  return { subscriptions, userFeed };
}

/** Who comments: the user that the application has named, or else as the service says. */
export function callerOf(
  knownCaller: Caller | undefined,
  subscriptions: Subscriptions,
  onChange: () => void,
): () => Caller | undefined {
  if (knownCaller !== undefined) return () => knownCaller;
  const subscribeOnce = once(() => void subscriptions.user().subscribe(onChange));
  return () => {
    subscribeOnce();
    return subscriptions.user().get().data;
  };
}
