import type { Context as HonoContext } from "hono";
import { SharedBudget } from "../../platform/http/shared-budget.ts";
import { connectionOf } from "./connection.ts";

/** The memory for answers of JSON that this process has made and not sent. */
const mostBytes = 128 * 1024 * 1024;
/** Smaller answers do not count: the rate limit bounds them. */
const smallBytes = 32 * 1024;

const budget = new SharedBudget(mostBytes);

/** Counts an answer until it is sent. It loses its connection when others need its memory. */
export function noteUnsent(c: HonoContext, client: string, bytes: number): void {
  if (bytes < smallBytes) return;
  const connection = connectionOf(c);
  if (connection === undefined || connection.closed) return;
  const release = budget.take(client, bytes, () => void connection.destroy());
  connection.once("close", release);
}
