/** An answer with its JSON read. */
export type Answer = { status: number; body: any; headers: Headers };

/** One client of a running service. */
export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A client of the service that is at `url()` just now; it rejects when the connection breaks. */
export const clientOf =
  (url: () => string, token?: string): Client =>
  async (method, path, body) => {
    const probe = path === "/livez" || path === "/readyz";
    const response = await fetch(`${url()}${probe ? "" : "/api/v1"}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };

/**
 * A new user's access token, an API key of theirs (which does not run out), and a board of two
 * lists.
 */
export type Home = { token: string; key: string; board: string; lists: string[] };

/** Registers a user and makes a workspace with a board. */
export async function settle(url: string): Promise<Home> {
  const anonymous = clientOf(() => url);
  const user = {
    email: `${Math.random()}@example.com`,
    password: "a password for tests",
    name: "User",
  };
  const { body: session } = await anonymous("POST", "/auth/register", user);
  const call = clientOf(() => url, session.accessToken);
  const { body: workspace } = await call("POST", "/workspaces", { name: "Home" });
  const { body: board } = await call("POST", `/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: ["One", "Two"],
  });
  const { body: apiKey } = await call("POST", "/auth/api-keys", {
    name: "Crash",
    password: "a password for tests",
  });
  return {
    token: session.accessToken,
    key: apiKey.key,
    board: board.publicId,
    lists: board.lists.map((list: { publicId: string }) => list.publicId),
  };
}
