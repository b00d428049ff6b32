import type { Caller } from "./detail.ts";
import { boardFeed, userFeed as ofUser, type LiveHost } from "./live.ts";
import { LiveCache, type Lives } from "./lives.ts";
import { once } from "./once.ts";
import type { Replica } from "./replica.ts";
import { UserFeed } from "./user-feed.ts";

type FollowHost = Omit<LiveHost, "follow" | "onChange"> & { replica: Replica };

/** Opens the data of a store other than boards, and the feed of its user. */
export function openLives({ replica, ...host }: FollowHost) {
  const { client, waiting, connection, saved } = host;
  const userFeed = new UserFeed(client, waiting, {
    workspaces: () => lives.workspaceIds(),
    onEvent: (event) => lives.handle(event),
    onGap: () => lives.refresh(ofUser),
    connection,
  });
  const follow = (feed: string) => {
    if (feed === ofUser) return userFeed.open();
    const [, board] = feed.split(boardFeed(""));
    return board === undefined ? replica.hold(feed) : replica.open(replica.copy(board));
  };
  const lives: LiveCache = new LiveCache(
    { ...host, follow, onChange: () => userFeed.check() },
    async (id) => (await saved.boardsOf(id)).map(({ board }) => board),
  );
  return { lives, userFeed };
}

/** Who comments: the user that the application has named, or else as the service says. */
export function callerOf(
  knownCaller: Caller | undefined,
  lives: Lives,
  onChange: () => void,
): () => Caller | undefined {
  if (knownCaller !== undefined) return () => knownCaller;
  const subscribeOnce = once(() => void lives.user().subscribe(onChange));
  return () => {
    subscribeOnce();
    return lives.user().get().data;
  };
}
