import { splitStream } from "./split-stream.ts";

/** A message of an event stream; `type` is "ping" for a comment. */
export type Message = { type: string; id: string | undefined; data: string };

/** Parses a stream of server-sent events. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  for await (const block of splitStream(body, "\n\n")) yield messageOf(block);
}

/** The message of one block of lines. */
function messageOf(block: string): Message {
  const message: Message = { type: "message", id: undefined, data: "" };
  for (const line of block.split("\n")) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "") message.type = "ping";
    else if (field === "event") message.type = value;
    else if (field === "id") message.id = value;
    else if (field === "data") message.data += value;
  }
  return message;
}
