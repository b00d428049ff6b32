import { expect, test } from "vitest";
import { z } from "zod";
import { appRouter } from "../../../src/app/router/index.ts";
import { ruleOf } from "../../../src/contract/policy.ts";
import { definitionOf } from "../../../src/kernel/procedures/builder.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { oneApiOf, operations, send } from "../../kernel/access/call.ts";
import { makeUser } from "../../kernel/access/fixtures.ts";
import { inputs } from "../../kernel/access/inputs.ts";
import { useWorld } from "../../kernel/access/world.ts";

const world = useWorld();

/** What asks for the password of who is signed in. */
const asking = operations.filter((name) => {
  const { input } = definitionOf(Reflect.get(appRouter._def.procedures, name));
  const isOwn = ruleOf(name).on === "self" && input instanceof z.ZodObject;
  return isOwn && Object.hasOwn(input.shape, "password");
});

test.each(asking)("%s needs a sign-in of the last 15 minutes without a password", async (name) => {
  const { app } = world();
  const user = await makeUser(app, "Signed");
  const { input, token = user.token, undo } = await inputs[name](world(), user);
  const [api = "REST"] = oneApiOf(name);
  const { password, ...rest } = input as Record<string, unknown>;
  const [{ id } = user] = await app.db.read<{ id: bigint }>(sql`SELECT u.id FROM users u
    JOIN sessions s ON s."userId" = u.id ORDER BY s.id DESC LIMIT 1`);
  await app.db.write(sql`UPDATE users SET "passwordHash" = NULL WHERE id = ${id}`);
  const signedIn = (minutes: number) =>
    app.db.write(sql`UPDATE sessions
      SET "createdAt" = ${app.deps.clock()}::timestamptz - ${minutes} * interval '1 minute'
      WHERE "userId" = ${id}`);
  await signedIn(16);
  const refused = await send(app, api, name, rest, token);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("sign_in_again")]);
  await signedIn(14);
  const { status, text } = await send(app, api, name, rest, token);
  expect([password, status, text]).toEqual(["a password for tests", 200, expect.any(String)]);
  await undo?.();
});

test("they are known", () => {
  expect(asking.toSorted()).toEqual([
    "auth.createApiKey",
    "oauth.decide",
    "oauth.decideDevice",
    "secondFactor.addPasskey",
    "secondFactor.addTotp",
    "secondFactor.createRecoveryCodes",
    "secondFactor.remove",
    "signIn.link",
    "user.delete",
  ]);
});
