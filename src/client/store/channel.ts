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

/** Opens a channel. Where the platform has no channels, nothing is sent. */
export function channelOf(name: string, receive: (message: TabMessage) => void): Channel {
  if (typeof BroadcastChannel === "undefined") {
    return { post: () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(name) as unknown as TabChannel;
  channel.addEventListener("message", ({ data }) => receive(data));
  // In Node.js an open channel would not let the process end.
  channel.unref?.();
  let isClosed = false;
  return {
    post(message) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have it
      if (!isClosed) channel.postMessage(message);
    },
    close() {
      isClosed = true;
      channel.close();
    },
  };
}
