import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { useInstances } from "../../support/instances.ts";
import { makeUser } from "../../support/make.ts";
import { allow, connectApp, exchange, refresh, statusAt } from "./app.ts";

const app = useApp({ isolated: true });
const { all, race } = useInstances(app);

test("of 20 exchanges of one code exactly one succeeds, and its tokens end", async () => {
  const code = await allow(app(), await makeUser(app()));
  const replies = await race(20, (instance) => exchange(instance, code));
  const good = replies.filter(({ status }) => status === 200);
  expect(good).toHaveLength(1);
  for (const instance of all()) {
    expect(await statusAt(instance, good[0]?.body.access_token)).toBe(401);
  }
});

test("10 refreshes at once get one successor, and all answers work", async () => {
  const connected = await connectApp(app(), await makeUser(app()));
  const replies = await race(10, (instance) => refresh(instance, connected));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const successors = new Set(replies.map(({ body }) => body.refresh_token));
  expect(successors.size).toBe(1);
  for (const { body } of replies) expect(await statusAt(app(), body.access_token)).toBe(200);
  const [refreshToken] = successors;
  expect((await refresh(app(), { ...connected, refreshToken })).status).toBe(200);
});

test("bursts of refreshes with old and new tokens end no grant", async () => {
  const connected = await connectApp(app(), await makeUser(app()));
  const tokens = [connected.refreshToken];
  for (let round = 0; round < 5; round++) {
    const some = tokens.slice(-3);
    const replies = await race(6, (instance) => {
      const refreshToken = some[Math.floor(Math.random() * some.length)] ?? "";
      return refresh(instance, { ...connected, refreshToken });
    });
    for (const { status, body } of replies) {
      expect(status, JSON.stringify(body)).toBe(200);
      if (!tokens.includes(body.refresh_token)) tokens.push(body.refresh_token);
    }
  }
});

test("a grant that ends on one instance ends on the other at the next call", async () => {
  const user = await makeUser(app());
  const { accessToken } = await connectApp(app(), user);
  for (const instance of all()) expect(await statusAt(instance, accessToken)).toBe(200);
  const { body: keys } = await user.rest.get("/auth/api-keys");
  await user.rest.delete(`/auth/api-keys/${keys[0].publicId}`);
  for (const instance of all()) expect(await statusAt(instance, accessToken)).toBe(401);
});
