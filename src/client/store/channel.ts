import type { Entry } from "./types.ts";

/** What the tabs of a site send each other about their changes. */
export type TabMessage =
  | { type: "added" | "failed"; entry: Entry }
  | { type: "accepted"; id: string; until: string | null }
  | { type: "removed"; id: string }
  | { type: "purged"; boardPublicId: string | undefined };

/** Messages to the other tabs of the site. */
export type Channel = { post(message: TabMessage): void; close(): void };

// The part of BroadcastChannel that browsers and Node.js share.
type TabChannel = {
  addEventListener(type: "message", listener: (event: { data: TabMessage }) => void): void;
  postMessage(message: TabMessage): void;
  close(): void;
  unref?(): void;
};

/** Opens a channel. Where the platform has no channels, or refuses them, nothing is sent. */
export function channelOf(
  name: string | undefined,
  receive: (message: TabMessage) => void,
): Channel | undefined {
  if (name === undefined) return undefined;
  let channel: TabChannel;
  try {
    channel = new BroadcastChannel(name) as unknown as TabChannel;
  } catch {
    return undefined;
  }
  channel.addEventListener("message", ({ data }) => receive(data));
  // In Node.js an open channel would not let the process end.
  channel.unref?.();
  let send: Channel["post"] | undefined = channel.postMessage.bind(channel);
  return {
    post: (message) => send?.(message),
    close() {
      send = undefined;
      channel.close();
    },
  };
}
