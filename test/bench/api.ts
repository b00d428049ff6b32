import { randomBytes } from "node:crypto";

/** A user of the service, who creates the data of a case. */
export type Api = {
  token: string;
  get(path: string): Promise<any>;
  post(path: string, body: unknown): Promise<any>;
  put(path: string, body: unknown): Promise<any>;
};

/** Signs a new user up. */
export async function signUp(origin: string, name = "Bench"): Promise<Api> {
  const { accessToken: token }: any = await call(origin, "POST", "/auth/register", {
    email: `${randomBytes(8).toString("hex")}@example.com`,
    password: "a password for the bench",
    name,
  });
  return {
    token,
    get: (path) => call(origin, "GET", path, undefined, token),
    post: (path, body) => call(origin, "POST", path, body, token),
    put: (path, body) => call(origin, "PUT", path, body, token),
  };
}

async function call(origin: string, method: string, path: string, body: unknown, token?: string) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<any>;
}
