import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { startApp, type App } from "../../support/app.ts";
import { as, type As } from "../../support/as.ts";
import { write } from "../../support/feed.ts";
import { startIssuer, type FakeIssuer } from "../../support/issuer.ts";
import { makeWorkspace } from "../../support/make.ts";
import { openStream, type Stream } from "../../support/stream.ts";

let issuer: FakeIssuer;
let app: App;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience } });
});
afterAll(async () => {
  await app.close();
  await issuer.stop();
  if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
});

const second = 1_000;
const minute = 60 * second;
/** For so long a token is taken after its end, since clocks differ. */
const tolerated = 30 * second;

/** Whom the issuer sends, with a token of so many seconds, and a workspace of theirs. */
async function sent(seconds: number) {
  const email = `${randomBytes(9).toString("hex")}@example.com`;
  const now = app.deps.clock();
  const exp = Math.floor(now.getTime() / 1000) + seconds;
  const claims = { sub: email, email, email_verified: true, exp };
  const who = as(app, await issuer.token(now, claims));
  const { body } = await who.rest.post("/workspaces", { name: "Theirs" });
  return { who, end: exp * second, id: body.publicId as string };
}

const open = (id: string, who: As | undefined, query = "") =>
  openStream(app, `/workspaces/${id}/events/stream${query}`, { token: who?.token });

const ticketOf = async (who: As) => (await who.rest.post("/auth/stream-ticket")).body;

/** That a stream tells what happens now. */
async function expectTold(stream: Stream, id: string) {
  const [written] = await write(app, id, 1);
  expect((await stream.take(1))[0]?.data.id).toBe(written);
}

/** That a stream is at its end: it tells nothing of what happens now. */
async function expectOver(stream: Stream, id: string) {
  await write(app, id, 1);
  expect(await stream.rest()).toEqual([]);
}

const advanceTo = (moment: number) => app.advance(moment - app.deps.clock().getTime());

describe("a stream of an issuer's token", () => {
  test("ends with the token, as calls with it do", async () => {
    const { who, end, id } = await sent(60);
    const stream = await open(id, who);
    advanceTo(end + tolerated - 1);
    await expectTold(stream, id);
    advanceTo(end + tolerated);
    await expectOver(stream, id);
    expect((await open(id, who)).status).toBe(401);
  });

  test("ends with it also when a ticket has opened it, and the ticket is good no longer", async () => {
    const { who, end, id } = await sent(20);
    const [one, other] = [await ticketOf(who), await ticketOf(who)];
    expect(Date.parse(one.expiresAt)).toBe(end + tolerated);
    const stream = await open(id, undefined, `?ticket=${one.ticket}`);
    advanceTo(end + tolerated - 1);
    await expectTold(stream, id);
    advanceTo(end + tolerated);
    await expectOver(stream, id);
    expect((await open(id, undefined, `?ticket=${other.ticket}`)).status).toBe(401);
  });

  test("ends after ten minutes when the token is good for longer", async () => {
    const { who, id } = await sent(3_600);
    const stream = await open(id, who);
    await expectTold(stream, id);
    app.advance(10 * minute);
    await expectOver(stream, id);
    const again = await open(id, who);
    expect(again.status).toBe(200);
    await again.close();
  });
});

test("a stream of a key ends with the key", async () => {
  const { publicId: id, admin } = await makeWorkspace(app);
  const expiresAt = new Date(app.deps.clock().getTime() + minute).toISOString();
  const { body } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "short-lived",
    expiresAt,
  });
  const stream = await open(id, as(app, body.key));
  await expectTold(stream, id);
  app.advance(minute);
  await expectOver(stream, id);
});

test("a long poll whose token ends while it waits is refused as a new call is", async () => {
  const { who, end, id } = await sent(60);
  const { body } = await who.rest.get(`/workspaces/${id}/events?cursor=now`);
  const { hub } = app.deps;
  const url = `http://service/api/v1/workspaces/${id}/events?wait=30&cursor=${body.nextCursor}`;
  const headers = { Authorization: `Bearer ${who.token}` };
  let answer: Response | Promise<Response> | undefined;
  await new Promise<void>((begun) => {
    const watch: typeof hub.watch = async (home) => {
      const watching = await hub.watch(home);
      begun();
      return watching;
    };
    const { fetch } = createApp({ ...app.deps, hub: { ...hub, watch } });
    answer = fetch(new Request(url, { headers }));
  });
  advanceTo(end + tolerated);
  await write(app, id, 1);
  expect((await answer)?.status).toBe(401);
});

test("a stream of a session outlasts the access token that it was opened with, and ends with the session", async () => {
  const { publicId: id, admin } = await makeWorkspace(app);
  app.advance(14.5 * minute);
  const stream = await open(id, admin);
  const { ticket } = await ticketOf(admin);
  app.advance(0.5 * minute);
  expect((await admin.rest.get("/users/me")).status).toBe(401);
  const byTicket = await open(id, undefined, `?ticket=${ticket}`);
  app.advance(5 * minute);
  await expectTold(stream, id);
  await byTicket.take(1);
  const { body } = await admin.rest.post("/auth/refresh", { refreshToken: admin.refreshToken });
  await as(app, body.accessToken).rest.post("/auth/logout");
  await expectOver(stream, id);
  expect(await byTicket.rest()).toEqual([]);
});
