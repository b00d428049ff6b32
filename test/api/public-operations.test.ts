import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { appRouter } from "../../src/app/router/index.ts";
import { policy, ruleOf, type Operation } from "../../src/contract/policy.ts";
import { useApp } from "../support/app.ts";
import { useStatements } from "../support/statements.ts";
import { listen } from "../support/listen.ts";

// A client address has a fifth of the limit.
const app = useApp({ env: { RATE_LIMIT: "100", AUTH_RATE_LIMIT: "10", TRUST_PROXY: "1" } });
const counted = useStatements();
const perAddress = 20;

let addresses = 0;
const nextAddress = () => `198.51.100.${++addresses}`;
const unverified = () => `wbs_${Math.random().toString(36).repeat(3)}`;

const publicNames = (Object.keys(policy) as Operation[]).filter(
  (name) => ruleOf(name).on === "public",
);
const served = () =>
  app()
    .deps.operations()
    .filter(({ operation }) => ruleOf(operation).on === "public");

const router: AnyRouter = appRouter;
const procedures: Record<string, AnyProcedure> = router._def.procedures;
const typeOf = (name: string) => procedures[name]?._def.type;

type Attempt = { what: string; method: string; path: string; body?: unknown };

function attempts(): Attempt[] {
  const overRest = served().map(({ name, method, path }) => ({
    what: `REST ${name}`,
    method,
    path: path.replace(/\{\w+\}/g, "unknown12345"),
    ...(method === "GET" ? {} : { body: {} }),
  }));
  const overTrpc = served().map(({ name }) => {
    const isQuery = typeOf(name) === "query";
    const path = `/trpc/${name}`;
    const what = `tRPC ${name}`;
    return isQuery ? { what, method: "GET", path } : { what, method: "POST", path, body: {} };
  });
  const stream = "/workspaces/unknown12345/events/stream?ticket=";
  return [
    ...overRest,
    ...overTrpc,
    { what: "an unknown path", method: "GET", path: "/no/such/path" },
    { what: "a method that is not served", method: "DELETE", path: "/workspaces" },
    { what: "an operation that needs a credential", method: "GET", path: "/users/me" },
    { what: "a stream with a ticket", method: "GET", path: stream },
  ];
}

test("every public operation is among the attempts", () => {
  const names = attempts().map(({ what }) => what);
  expect(publicNames.length).toBeGreaterThan(5);
  for (const { name } of served()) expect(names).toContain(`REST ${name}`);
  expect(new Set(served().map(({ operation }) => operation))).toEqual(new Set(publicNames));
});

test("a random credential in each call counts for its address, and costs no statement over the limit", async () => {
  const faults: string[] = [];
  for (const attempt of attempts()) {
    const ip = nextAddress();
    const isStream = attempt.path.endsWith("ticket=");
    const call = () =>
      app().call({
        method: attempt.method,
        path: isStream ? attempt.path + unverified() : attempt.path,
        ...(isStream ? {} : { token: unverified() }),
        ...(attempt.body === undefined ? {} : { body: attempt.body }),
        headers: { "X-Forwarded-For": ip },
      });
    for (let turn = 0; turn <= perAddress; turn++) await call();
    const { count, result } = await counted(call);
    if (result.status !== 429) faults.push(`${attempt.what}: ${result.status}`);
    if (result.headers.get("Retry-After") === null) faults.push(`${attempt.what}: no Retry-After`);
    if (count !== 0) faults.push(`${attempt.what}: ${count} statements`);
  }
  expect(faults).toEqual([]);
});

test("an unknown procedure spends no statement", async () => {
  const call = () =>
    app().call({ method: "GET", path: "/trpc/no.such", headers: { "X-Forwarded-For": "::1" } });
  const unlimited = await counted(call);
  expect([unlimited.result.status, unlimited.count]).toEqual([404, 0]);
  for (let turn = 1; turn <= perAddress; turn++) await call();
  const { count, result } = await counted(call);
  expect([result.status, count]).toEqual([429, 0]);
});

describe("over tRPC, the body of a public operation", () => {
  const send = (name: string, body: string) =>
    app().call({
      method: "POST",
      path: `/trpc/${name}`,
      body,
      headers: { "Content-Type": "application/json", "X-Forwarded-For": nextAddress() },
    });

  test("is at most 32 KiB, also in a batch and with an encoded name", async () => {
    const body = JSON.stringify({ email: "a".repeat(33_000) });
    for (const name of ["auth.login", "user.update,auth.login?batch=1", "auth%2Elogin"]) {
      const login = [(await send(name, body)).body].flat().at(-1);
      const refusal = { code: "PAYLOAD_TOO_LARGE", httpStatus: 413 };
      expect(login, name).toMatchObject({ error: { data: refusal } });
    }
  });

  test("is bounded in depth and in keys, and names at most 50 issues", async () => {
    const deep = await send("auth.login", `{"email":${"[".repeat(500)}${"]".repeat(500)}}`);
    expect(deep.status).toBe(400);
    const keys = Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`k${nth}`, 1]));
    const { status, body } = await send("auth.login", JSON.stringify(keys));
    expect([status, body.error.data.issues.length]).toEqual([400, 50]);
  });

  test("that ends early is 400", async () => {
    const server = await listen((request) => app().fetch(request));
    const response = await fetch(`${server.url}/trpc/auth.login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    });
    expect(response.status).toBe(400);
    await server.close();
  });
});
