import type { Context as HonoContext } from "hono";
import type { Context } from "../../kernel/request/context.ts";
import { SharedBudget } from "../../platform/http/shared-budget.ts";

/** The memory for JSON answers that are waiting to be sent. */
const maxBytes = 128 * 1024 * 1024;
/** Smaller answers do not count: the rate limit bounds them. */
const smallBytes = 32 * 1024;

const budget = new SharedBudget(maxBytes);

/** Counts an answer until it is sent. It loses its connection when others need its memory. */
export function recordUnsent(c: HonoContext, client: string, bytes: number): void {
  if (bytes < smallBytes) return;
  const connection = connectionOf(c);
  if (connection === undefined || connection.closed) return;
  const release = budget.take(client, bytes, () => void connection.destroy());
  connection.once("close", release);
}

/** Counts the bytes of an answer for the limit of its caller, and until it is sent. */
export async function chargeResponse(
  c: HonoContext,
  { chargeBytes, client }: Pick<Context, "chargeBytes" | "client">,
  response: Response,
): Promise<Response> {
  const body = await response.arrayBuffer();
  await chargeBytes?.(body.byteLength);
  recordUnsent(c, client, body.byteLength);
  return new Response(body.byteLength === 0 ? null : body, response);
}

/** The connection of a request, which can be closed at once. */
export type ClientConnection = {
  closed: boolean;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
};

const isConnection = (value: unknown): value is ClientConnection =>
  typeof value === "object" && value !== null && "destroy" in value && "once" in value;

/** The connection of a request; undefined if the application is called without a server. */
export function connectionOf(c: HonoContext): ClientConnection | undefined {
  const env: unknown = c.env;
  const outgoing =
    typeof env === "object" && env !== null && "outgoing" in env ? env.outgoing : undefined;
  return isConnection(outgoing) ? outgoing : undefined;
}

/** A function that closes the connection of a request at once. */
export function connectionCloser(c: HonoContext): () => void {
  const connection = connectionOf(c);
  return () => void connection?.destroy();
}
