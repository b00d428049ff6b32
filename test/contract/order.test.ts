import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import type { User } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { badCallOf, callOf, callOnNothing, idsOf, operations, targeted } from "./operations.ts";
import { makeWorld, revoked, unknownId, type World } from "./world.ts";

const app = useApp();
let world: World;
let gone: User;
beforeAll(async () => {
  world = await makeWorld(app());
  gone = await revoked(app());
});

describe.each(operations)("$name", (operation) => {
  const call = (token: string | undefined, made: ReturnType<typeof callOf>) =>
    app().call({ ...made, token });

  test("is 401 with no issue for a caller without a credential", async () => {
    const reply = await call(undefined, callOf(operation, world));
    expectFailure(reply, "UNAUTHORIZED", []);
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
  });

  test("is 401 with an issue for an invalid, foreign or revoked credential", async () => {
    const good = callOf(operation, world);
    for (const Authorization of [
      "Bearer nonsense",
      "Bearer",
      "Basic dXNlcjpwYXNz",
      `Bearer ${world.admin.token}x`,
      `Bearer ${world.admin.token} ${world.admin.token}`,
      `Bearer wbs_nonsense`,
      `Bearer ${gone.token}`,
    ]) {
      const reply = await app().call({ ...good, headers: { Authorization } });
      expectFailure(reply, "UNAUTHORIZED", [{ message: expect.any(String) }]);
    }
  });

  test("checks the credential before the input", async () => {
    expectFailure(await call(undefined, badCallOf(operation, world)), "UNAUTHORIZED", []);
    expectFailure(await call(gone.token, badCallOf(operation, world)), "UNAUTHORIZED", [{}]);
  });

  test.skipIf(operation.ignoresQuery)("is 400 for unknown fields", async () => {
    const reply = await call(world.admin.token, badCallOf(operation, world));
    expectFailure(reply, "BAD_REQUEST", [{ path: ["nonsense"] }]);
  });
});

describe.each(targeted)("$name", (operation) => {
  const { name } = operation;
  const call = (user: User, made: ReturnType<typeof callOf>) =>
    app().call({ ...made, token: user.token });

  test("checks the input before the target", async () => {
    const nothing = callOnNothing(operation, world);
    const bad = { ...badCallOf(operation, world), path: nothing.path };
    const faulty =
      bad.body === undefined
        ? { ...bad, path: `${bad.path}?nonsense=1` }
        : { ...bad, body: { ...bad.body, ...nothing.body, nonsense: 1 } };
    expectFailure(await call(world.admin, faulty), "BAD_REQUEST", [{ path: ["nonsense"] }]);
  });

  test("is 404 for a target that does not exist, for members and strangers alike", async () => {
    const nothing = callOnNothing(operation, world);
    for (const user of [world.admin, world.guest, world.stranger]) {
      const reply = await call(user, nothing);
      expectFailure(reply, "NOT_FOUND", [{}]);
      expect(JSON.stringify(reply.body)).not.toContain(unknownId);
    }
  });

  test("is 403 for a stranger", async () => {
    const reply = await call(world.stranger, callOf(operation, world));
    expectFailure(reply, "FORBIDDEN", [{}]);
  });

  test("checks the permission before the version", async () => {
    const stale = { headers: { "If-Match": '"999"' } };
    const good = callOf(operation, world);
    expectFailure(
      await app().call({ ...good, ...stale, token: world.stranger.token }),
      "FORBIDDEN",
      [{}],
    );
    const nothing = callOnNothing(operation, world);
    expectFailure(
      await app().call({ ...nothing, ...stale, token: world.admin.token }),
      "NOT_FOUND",
      [{}],
    );
  });

  test.each(idsOf(operation))("accepts 12 to 64 characters as %s", async (id) => {
    for (const [text, code] of [
      ["z".repeat(11), "BAD_REQUEST"],
      ["z".repeat(12), "NOT_FOUND"],
      ["z".repeat(64), "NOT_FOUND"],
      ["z".repeat(65), "BAD_REQUEST"],
      // Code points, not surrogates.
      ["🙂".repeat(11), "BAD_REQUEST"],
      ["🙂".repeat(12), "NOT_FOUND"],
      ["🙂".repeat(64), "NOT_FOUND"],
    ] as const) {
      const reply = await call(world.admin, callOf(operation, world, { ids: { [id]: text } }));
      expectFailure(reply, code, code === "BAD_REQUEST" ? [{ path: [id] }] : [{}]);
    }
  });

  test(`${name} has the same errors over tRPC`, async () => {
    const input = { ...operation.ids(world), ...operation.body?.(world) };
    const reads = operation.method === "GET";
    const asked = (given: object, user: User) =>
      app().call({
        method: reads ? "GET" : "POST",
        path: reads
          ? `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(given))}`
          : `/trpc/${name}`,
        token: user.token,
        ...(reads ? {} : { body: given }),
      });
    const same = async (given: object, made: ReturnType<typeof callOf>, user: User) => {
      const [native, rest] = [await asked(given, user), await call(user, made)];
      const { code, message, issues } = native.body.error.data;
      expect({ status: native.status, code, message, issues }).toEqual({
        status: rest.status,
        ...rest.body,
      });
    };
    await same(input, callOf(operation, world), world.stranger);
    await same({ ...input, nonsense: 1 }, badCallOf(operation, world), world.admin);
    await same(input, callOf(operation, world), gone);
  });
});

describe.each(targeted.filter(({ openToGuests }) => !openToGuests))("$name", (operation) => {
  test("is 403 without the permission, with its name", async () => {
    const { token } = world.guest;
    const reply = await app().call({ ...callOf(operation, world), token });
    expectFailure(reply, "FORBIDDEN", [{ code: operation.needs }]);
  });
});
