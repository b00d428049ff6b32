import type { Client } from "../index.ts";
import { present } from "./fields.ts";
import type { Entry } from "./types.ts";

type Call = (input: unknown, options: object) => Promise<unknown>;
type Calls = Record<string, Record<string, Call>>;

/** Sends a change. `until` is the cursor after its events, null without events. */
export async function send(
  client: Client,
  { id, operation, input, ifVersion }: Entry,
  signal: AbortSignal,
): Promise<{ until: string | null; error?: unknown }> {
  const [resource = "", verb = ""] = operation.split(".");
  const call = (client as unknown as Calls)[resource]?.[verb];
  let until: string | null = null;
  try {
    await call?.(input, {
      idempotencyKey: id,
      signal,
      ...present({ ifVersion }),
      onResponse: ({ feedCursor }: { feedCursor: string | null }) => (until = feedCursor),
    });
    return { until };
  } catch (error) {
    return { until, error };
  }
}
