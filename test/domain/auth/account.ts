import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import type { App, Reply } from "../../support/app.ts";

/** An uncommon password. */
export const password = "gravel-otter 71 lantern";

/** An address without an account. */
export const freshEmail = () => `${randomBytes(6).toString("hex")}@example.org`;

/** The response of auth.register. */
export type Account = {
  accessToken: string;
  refreshToken: string;
  tokenType: string;
  expiresAt: string;
  user: { publicId: string; email: string; name: string; image: string | null; createdAt: string };
};

/** Registers an account over REST. */
export async function signUp(app: App, email = freshEmail()): Promise<Account> {
  const { status, body } = await app.call({
    method: "POST",
    path: "/auth/register",
    body: { email, password, name: "Ada Lovelace" },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Signs in over REST. */
export async function signIn(
  app: App,
  email: string,
  headers: Record<string, string> = {},
): Promise<Account> {
  const { status, body } = await app.call({
    method: "POST",
    path: "/auth/login",
    body: { email, password },
    headers,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The status that a token gets for user.me. */
export const statusOf = async (app: App, token: string) =>
  (await app.call({ method: "GET", path: "/users/me", token })).status;

/** The same service with some dependencies replaced. */
export function withDeps(app: App, replaced: Partial<Deps>): (request: Request) => Promise<Reply> {
  const hono = createApp({ ...app.deps, ...replaced });
  return async (request) => {
    const response = await hono.fetch(request);
    const { status, headers } = response;
    return { status, headers, body: JSON.parse(await response.text()) };
  };
}

/** A REST request. */
export const request = (method: string, path: string, token?: string, body?: unknown) =>
  new Request(`http://localhost/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
