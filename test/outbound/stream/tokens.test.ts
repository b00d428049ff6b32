import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { as, type As } from "../../support/as.ts";
import { write } from "../../support/feed.ts";
import { makeWorkspace } from "../../support/make.ts";
import { openStream, type Stream } from "../../support/stream.ts";
import { startIssuerApp } from "../../support/issuer-app.ts";

const { app, issuer } = await startIssuerApp();

const second = 1_000;
const minute = 60 * second;
/** How long a token is accepted after its expiry, because clocks differ. */
const tolerated = 30 * second;

/** A user of the issuer with a token that expires in some seconds, and their workspace. */
async function signIn(seconds: number) {
  const email = `${randomBytes(9).toString("hex")}@example.com`;
  const now = app.deps.clock();
  const exp = Math.floor(now.getTime() / 1000) + seconds;
  const claims = { sub: email, email, email_verified: true, exp };
  const user = as(app, await issuer.token(now, claims));
  const { body } = await user.rest.post("/workspaces", { name: "Theirs" });
  return { user, end: exp * second, id: body.publicId as string };
}

const open = (id: string, user: As | undefined, query = "") =>
  openStream(app, `/workspaces/${id}/events/stream${query}`, { token: user?.token });

const ticketOf = async (user: As) => (await user.rest.post("/auth/stream-ticket")).body;

/** Expects that a stream sends a new event; one of the sign-in may come before it. */
async function expectOpen(stream: Stream, id: string) {
  const [written] = await write(app, id, 1);
  const [first] = await stream.take(1);
  const sent = first?.data.id === written ? first : (await stream.take(1))[0];
  expect(sent?.data.id).toBe(written);
}

/** Expects that a stream has ended: it sends no new event. */
async function expectOver(stream: Stream, id: string) {
  await write(app, id, 1);
  expect(await stream.rest()).toEqual([]);
}

const advanceTo = (moment: number) => app.advance(moment - app.deps.clock().getTime());

describe("a stream with an issuer's token", () => {
  test("ends when the token expires", async () => {
    const { user, end, id } = await signIn(60);
    const stream = await open(id, user);
    advanceTo(end + tolerated - 1);
    await expectOpen(stream, id);
    advanceTo(end + tolerated);
    await expectOver(stream, id);
    expect((await open(id, user)).status).toBe(401);
  });

  test("ends with the token also after a ticket, and the ticket expires with the token", async () => {
    const { user, end, id } = await signIn(20);
    const [one, other] = [await ticketOf(user), await ticketOf(user)];
    expect(Date.parse(one.expiresAt)).toBe(end + tolerated);
    const stream = await open(id, undefined, `?ticket=${one.ticket}`);
    advanceTo(end + tolerated - 1);
    await expectOpen(stream, id);
    advanceTo(end + tolerated);
    await expectOver(stream, id);
    expect((await open(id, undefined, `?ticket=${other.ticket}`)).status).toBe(401);
  });

  test("ends after ten minutes when the token expires later", async () => {
    const { user, id } = await signIn(3_600);
    const stream = await open(id, user);
    await expectOpen(stream, id);
    app.advance(10 * minute);
    await expectOver(stream, id);
    const again = await open(id, user);
    expect(again.status).toBe(200);
    await again.close();
  });
});

test("a stream with an API key ends when the key expires", async () => {
  const { publicId: id, admin } = await makeWorkspace(app);
  const expiresAt = new Date(app.deps.clock().getTime() + minute).toISOString();
  const { body } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "short-lived",
    expiresAt,
  });
  const stream = await open(id, as(app, body.key));
  await expectOpen(stream, id);
  app.advance(minute);
  await expectOver(stream, id);
});

test("a long poll is refused when its token expires during the wait", async () => {
  const { user, end, id } = await signIn(60);
  const { body } = await user.rest.get(`/workspaces/${id}/events?cursor=now`);
  const { hub } = app.deps;
  const url = `http://service/api/v1/workspaces/${id}/events?wait=30&cursor=${body.nextCursor}`;
  const headers = { Authorization: `Bearer ${user.token}` };
  let response: Response | Promise<Response> | undefined;
  await new Promise<void>((started) => {
    const watch: typeof hub.watch = async (...args) => {
      const watching = await hub.watch(...args);
      started();
      return watching;
    };
    const { fetch } = createApp({ ...app.deps, hub: { ...hub, watch } });
    response = fetch(new Request(url, { headers }));
  });
  advanceTo(end + tolerated);
  await write(app, id, 1);
  expect((await response)?.status).toBe(401);
});

test("a stream of a session continues after its access token, and ends with the session", async () => {
  const { publicId: id, admin } = await makeWorkspace(app);
  app.advance(14.5 * minute);
  const stream = await open(id, admin);
  const { ticket } = await ticketOf(admin);
  app.advance(0.5 * minute);
  expect((await admin.rest.get("/users/me")).status).toBe(401);
  const byTicket = await open(id, undefined, `?ticket=${ticket}`);
  app.advance(5 * minute);
  await expectOpen(stream, id);
  await byTicket.take(1);
  const { body } = await admin.rest.post("/auth/refresh", { refreshToken: admin.refreshToken });
  await as(app, body.accessToken).rest.post("/auth/logout");
  await expectOver(stream, id);
  expect(await byTicket.rest()).toEqual([]);
});
