import { onTestFinished } from "vitest";
import type { App } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { sql } from "../../src/platform/db/sql.ts";

/** An answer with its JSON read. */
export type Answer = { status: number; body: any };

/** One client over a real connection. */
export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A client at a base address, with a credential. */
export const clientAt =
  (url: string, token: string): Client =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

/** Lets the app listen on a real port until the test is over; answers its address. */
export async function listenOnce(app: App): Promise<string> {
  const { url, close } = await listen((request) => app.fetch(request));
  onTestFinished(close);
  return url;
}

/** The number of deadlocks so far, with those that connections have not reported yet. */
export async function deadlocks({ db }: App): Promise<number> {
  await Promise.all(
    Array.from({ length: 10 }, () => db.read(sql`SELECT pg_stat_force_next_flush()`)),
  );
  const [row] = await db.read<{ deadlocks: bigint }>(
    sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  );
  return Number(row?.deadlocks);
}
