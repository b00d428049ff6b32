import type { Context as HonoContext } from "hono";

/** The response of a request, which closes its connection at once. */
export type ClientConnection = {
  closed: boolean;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
};

const isConnection = (value: unknown): value is ClientConnection =>
  typeof value === "object" && value !== null && "destroy" in value && "once" in value;

/** The connection of a request; undefined for a call of the application without a server. */
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
