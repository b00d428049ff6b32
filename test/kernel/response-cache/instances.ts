import { expect } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { BoardWithCursor } from "../../../src/contract/resources/boards.ts";
import { PublicBoard } from "../../../src/domain/boards/public.ts";
import { createResponseCache } from "../../../src/kernel/response-cache/cache.ts";
import type { App } from "../../support/app.ts";

type Any = any;

/** A read of a board: its status, its ETag and its body without the cursor. */
export type BoardRead = { status: number; etag: string | null; board: Any };

/** Reads a path as the holder of a token. */
export type Read = (path: string, token: string | undefined) => Promise<BoardRead>;

/** Another instance of the service on the same database, with so many megabytes of cache. */
function instance(app: App, megabytes: number) {
  const responses = createResponseCache(megabytes);
  const hono = createApp({ ...app.deps, responses });
  const read: Read = async (path, token) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const response = await hono.request(`/api/v1${path}`, { headers });
    const text = await response.text();
    const { cursor: _, ...board }: Any = JSON.parse(text);
    const { status } = response;
    if (status !== 200) return { status, etag: null, board: board.message };
    // No output schema is run on it.
    const schema = path.startsWith("/boards/") ? BoardWithCursor : PublicBoard;
    expect(JSON.stringify(schema.parse(JSON.parse(text)))).toBe(text);
    return { status, etag: response.headers.get("etag"), board };
  };
  return { read, responses, hono };
}

/** Two instances with a cache of their own, and one that stores nothing. */
export function instances(app: App) {
  const [one, two, fresh] = [instance(app, 32), instance(app, 32), instance(app, 0)];
  /** Fails unless both instances answer what a fresh read does. */
  const expectFresh = async (path: string, token: string | undefined, hint: string) => {
    const expected = await fresh.read(path, token);
    expect(await one.read(path, token), `${hint}: ${path}`).toEqual(expected);
    expect(await two.read(path, token), `${hint}: ${path}`).toEqual(expected);
  };
  const warm = async (path: string, token: string | undefined) => {
    await Promise.all([one, two].map(({ read }) => read(path, token)));
  };
  return { one, two, fresh, expectFresh, warm };
}
