import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../src/app/router/index.ts";
import type { App, Reply } from "./app.ts";

type Options = { headers?: Record<string, string> };
type WithBody = (path: string, body?: unknown, options?: Options) => Promise<Reply>;

/** One caller: REST by method, and the tRPC client, both through the whole app. */
export type As = {
  token: string | undefined;
  rest: {
    get(path: string, options?: Options): Promise<Reply>;
    post: WithBody;
    put: WithBody;
    delete: WithBody;
  };
  trpc: TRPCClient<AppRouter>;
};

/** A caller with a credential; without one, an anonymous caller. */
export function as(app: App, credential?: { token: string } | string): As {
  const token = typeof credential === "object" ? credential.token : credential;
  const withBody =
    (method: string): WithBody =>
    (path, body, { headers = {} } = {}) =>
      app.call({ method, path, token, headers, ...(body === undefined ? {} : { body }) });
  return {
    token,
    rest: {
      get: (path, { headers = {} } = {}) => app.call({ method: "GET", path, token, headers }),
      post: withBody("POST"),
      put: withBody("PUT"),
      delete: withBody("DELETE"),
    },
    trpc: createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: "http://service/trpc",
          headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
          fetch: (input, init) => {
            const { signal: _, ...rest } = (init ?? {}) as RequestInit;
            return app.fetch(new Request(input as string, rest));
          },
        }),
      ],
    }),
  };
}

/** A new session of a user. */
export async function signedIn(
  app: App,
  { email, password = "a password for tests" }: { email: string; password?: string },
): Promise<As> {
  const { body } = await as(app).rest.post("/auth/login", { email, password });
  return as(app, body.accessToken);
}
