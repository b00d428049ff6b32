/** A message of an event stream; `type` is "ping" for a comment. */
export type Message = { type: string; id: string | undefined; data: string };

/** Parses a stream of server-sent events. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The message of one block of lines. */
function messageOf(block: string): Message {
  const message: Message = { type: "message", id: undefined, data: "" };
  for (const line of block.split("\n")) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "") message.type = "ping";
    else if (field === "event") message.type = value;
    else if (field === "id") message.id = value;
    else if (field === "data") message.data += value;
  }
  return message;
}
