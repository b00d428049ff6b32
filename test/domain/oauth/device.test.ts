import { describe, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import {
  answer,
  base,
  deviceGrant,
  form,
  poll,
  refresh,
  register,
  resources,
  startDevice,
  statusAt,
} from "./app.ts";

const app = useApp();
const fault = (error: string) => expect.objectContaining({ error });
const pending = fault("authorization_pending");

test("a start answers as RFC 8628 has it, and the metadata names it", async () => {
  const { body, status, headers } = await form(app(), "device_authorization", {
    client_id: "wbs-cli",
  });
  expect(status).toBe(200);
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(body).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: `${base}/oauth/device`,
    verification_uri_complete: `${base}/oauth/device?user_code=${body.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const metadata = await app().fetch(new Request(`${base}/.well-known/oauth-authorization-server`));
  expect(await metadata.json()).toMatchObject({
    device_authorization_endpoint: `${base}/oauth/device_authorization`,
    grant_types_supported: expect.arrayContaining([deviceGrant]),
  });
  const [row] = await app().db.read(sql`SELECT * FROM device_codes ORDER BY id DESC LIMIT 1`);
  const stored = JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(stored).not.toContain(body.device_code);
  expect(stored).not.toContain(body.user_code.replace("-", ""));
});

test("a program waits, and gets tokens once when the person allows it", async () => {
  const user = await makeUser(app());
  const device = await startDevice(app(), { resource: resources.rest });
  expect((await poll(app(), device)).body).toEqual(pending);
  const { body: shown } = await user.rest.post("/oauth/device/describe", {
    userCode: ` ${device.userCode.toLowerCase().replace("-", " ")}`,
  });
  expect(shown).toEqual({
    startedAt: expect.any(String),
    app: expect.objectContaining({ clientId: "wbs-cli", name: "wbs", vouchedBy: null }),
    resource: resources.rest,
    mayWrite: true,
    needsPassword: true,
    forbiddenIn: [],
  });
  expect((await answer(user, device)).status).toBe(200);
  const replies = await Promise.all([1, 2, 3].map(() => poll(app(), device)));
  const [got, ...others] = replies.toSorted((one, other) => one.status - other.status);
  expect(got).toMatchObject({ status: 200, body: { scope: "boards:read boards:write" } });
  for (const { body } of others) expect(body).toEqual(fault("invalid_grant"));
  const { access_token: accessToken, refresh_token: refreshToken } = got?.body ?? {};
  expect(await statusAt(app(), accessToken, "/api/v1/users/me")).toBe(200);
  expect(await statusAt(app(), accessToken)).toBe(401);
  expect((await refresh(app(), { ...device, refreshToken })).status).toBe(200);
  const { body: keys } = await user.rest.get("/auth/api-keys");
  expect(keys).toEqual([expect.objectContaining({ name: "wbs (by code)" })]);
  await user.rest.delete(`/auth/api-keys/${keys[0].publicId}`);
  expect(await statusAt(app(), accessToken, "/api/v1/users/me")).toBe(401);
});

test("a program that polls too fast is told to slow down, each time by five seconds", async () => {
  const device = await startDevice(app());
  expect((await poll(app(), device)).body).toEqual(pending);
  app().advance(4_999);
  expect((await poll(app(), device)).body).toEqual(fault("slow_down"));
  app().advance(9_999);
  expect((await poll(app(), device)).body).toEqual(fault("slow_down"));
  app().advance(15_000);
  expect((await poll(app(), device)).body).toEqual(pending);
  const atOnce = await Promise.all([1, 2].map(() => poll(app(), device)));
  for (const { body } of atOnce) expect(body).toEqual(fault("slow_down"));
});

test("a refusal, a disconnection and the end of the code are told apart", async () => {
  const user = await makeUser(app());
  const [refused, late, disconnected, lateToFetch] = [
    await startDevice(app()),
    await startDevice(app()),
    await startDevice(app()),
    await startDevice(app()),
  ];
  expect((await answer(user, refused, { allow: false })).status).toBe(200);
  expect((await poll(app(), refused)).body).toEqual(fault("access_denied"));
  await answer(user, disconnected);
  const { body: keys } = await user.rest.get("/auth/api-keys");
  await user.rest.delete(`/auth/api-keys/${keys[0].publicId}`);
  expect((await poll(app(), disconnected)).body).toEqual(fault("access_denied"));
  await answer(user, lateToFetch);
  app().advance(599_000);
  expect((await poll(app(), late)).body).toEqual(pending);
  app().advance(1_000);
  expect((await poll(app(), late)).body).toEqual(fault("expired_token"));
  expect((await poll(app(), lateToFetch)).body).toEqual(fault("expired_token"));
  expect((await answer(user, late)).body.issues).toEqual([
    expect.objectContaining({ code: "user_code_unknown", path: ["userCode"] }),
  ]);
});

test("only one person decides, once", async () => {
  const [one, other] = [await makeUser(app()), await makeUser(app())];
  const device = await startDevice(app());
  const replies = await Promise.all([answer(one, device), answer(other, device)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  for (const user of [one, other]) {
    const { status } = await user.rest.post("/oauth/device/describe", device);
    expect(status).toBe(400);
    expect((await answer(user, device, { allow: false })).status).toBe(400);
  }
  const [{ body: mine }, { body: theirs }] = [
    await one.rest.get("/auth/api-keys"),
    await other.rest.get("/auth/api-keys"),
  ];
  expect([...mine, ...theirs]).toHaveLength(1);
});

test("everything takes the password, and a board must be one of theirs", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const stranger = await makeUser(app());
  const device = await startDevice(app(), { scope: "boards:read" });
  expect((await answer(workspace.admin, device, { allow: true })).status).toBe(400);
  const wrong = { allow: true, password: "a wrong password" };
  expect((await answer(workspace.admin, device, wrong)).status).toBe(403);
  const bounds = { allow: true, boardPublicId: board.publicId };
  expect((await answer(stranger, device, bounds)).status).toBe(403);
  expect((await answer(workspace.admin, device, bounds)).status).toBe(200);
  expect((await poll(app(), device)).body).toMatchObject({ scope: "boards:read" });
});

test("codes of another app, unknown apps and strange forms are refused, and use up nothing", async () => {
  const user = await makeUser(app());
  const { clientId } = await register(app());
  const device = await startDevice(app(), { client_id: clientId });
  await answer(user, device);
  const wrong: [object, string][] = [
    [{ client_id: "wbs-cli" }, "invalid_grant"],
    [{ client_id: "unknown-app" }, "invalid_client"],
    [{ device_code: "guess" }, "invalid_grant"],
    [{ device_code: undefined }, "invalid_request"],
    [{ resource: resources.rest }, "invalid_target"],
  ];
  for (const [more, error] of wrong) {
    const { status, body } = await poll(app(), device, { ...more });
    expect([status, body], JSON.stringify(more)).toEqual([
      error === "invalid_client" ? 401 : 400,
      fault(error),
    ]);
  }
  expect((await poll(app(), device)).status).toBe(200);
  const starts: [Record<string, string>, string][] = [
    [{}, "invalid_request"],
    [{ client_id: "unknown-app" }, "invalid_client"],
    [{ client_id: "a\0b" }, "invalid_request"],
    [{ client_id: "wbs-cli", resource: "https://elsewhere.example" }, "invalid_target"],
  ];
  for (const [fields, error] of starts) {
    expect((await form(app(), "device_authorization", fields)).body).toEqual(fault(error));
  }
});

describe("limits", () => {
  const limited = useApp({ env: { AUTH_RATE_LIMIT: "3", TRUST_PROXY: "1" } });
  const at = (ip: string) => ({ "X-Forwarded-For": ip });

  test("guesses of codes are limited for an account, also for a right one", async () => {
    const user = await makeUser(limited());
    const device = await startDevice(limited());
    const guess = () => user.rest.post("/oauth/device/describe", { userCode: "BBBB-BBBB" });
    for (let nth = 0; nth < 3; nth++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    expect((await answer(user, device)).status).toBe(429);
    expect((await answer(await makeUser(limited()), device)).status).toBe(200);
  });

  test("starts are limited for a network", async () => {
    const start = () =>
      form(limited(), "device_authorization", { client_id: "wbs-cli" }, at("203.0.113.7"));
    let status = 200;
    for (let nth = 0; nth < 31 && status === 200; nth++) ({ status } = await start());
    expect(status).toBe(429);
  });
});

test("a page of any origin may start, and none may decide", async () => {
  const allowed = async (path: string) => {
    const headers = {
      Origin: "https://inspector.example",
      "Access-Control-Request-Method": "POST",
    };
    const response = await app().fetch(new Request(base + path, { method: "OPTIONS", headers }));
    return response.headers.get("Access-Control-Allow-Origin");
  };
  expect(await allowed("/oauth/device_authorization")).toBe("*");
  expect(await allowed("/api/v1/oauth/device/decide")).toBeNull();
  const page = await app().fetch(new Request(`${base}/oauth/device`));
  expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});
