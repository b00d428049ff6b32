/** Messages to the other tabs of the site. */
export type Channel<Message> = { post(message: Message): void; close(): void };

// The part of BroadcastChannel that browsers and Node.js share.
type TabChannel<Message> = {
  addEventListener(type: "message", listener: (event: { data: Message }) => void): void;
  postMessage(message: Message): void;
  close(): void;
  unref?(): void;
};

/** Opens a channel. Where the platform has no channels, or refuses them, nothing is sent. */
export function channelOf<Message>(
  name: string | undefined,
  receive: (message: Message) => void,
): Channel<Message> | undefined {
  if (name === undefined) return undefined;
  let channel: TabChannel<Message>;
  try {
    channel = new BroadcastChannel(name) as unknown as TabChannel<Message>;
  } catch {
    return undefined;
  }
  channel.addEventListener("message", ({ data }) => receive(data));
  // In Node.js an open channel would not let the process end.
  channel.unref?.();
  let isOpen = true;
  return {
    post(message) {
      if (isOpen) channel.postMessage(message);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}
