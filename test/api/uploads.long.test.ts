import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { limiter } from "../../src/kernel/request/limiter.ts";
import {
  receiveShares,
  uploadLimits,
  Uploads,
  type UploadLimits,
} from "../../src/kernel/request/uploads.ts";
import { rows, stored } from "../domain/attachments/files.ts";
import { useApp, type Reply } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { makeUser, makeWorkspace } from "../support/make.ts";
import { chunked, fileScene, Sending, takingFiles } from "./uploads.ts";

const app = useApp({ isolated: true, env: { TRUST_PROXY: "1" } });
const names = takingFiles.map(({ operation }) => operation);
/** Those whose start is seen: a preview stores nothing. */
const storing = names.filter((name) => name !== "import.csvPreview");
const mebibyte = 1024 * 1024;

const routeOf = (name: string) => {
  const route = takingFiles.find(({ operation }) => operation === name);
  if (route === undefined) throw new Error(`${name} has no file.`);
  return route;
};

/** Serves the app with limits of its own for files. */
async function serve(limits: Partial<UploadLimits>, mebibytes = 1_000) {
  const uploads = new Uploads(
    { ...uploadLimits(0), ...limits },
    limiter("uploads", mebibytes * mebibyte, 24 * 60 * 60),
  );
  const server = await listen(createApp({ ...app().deps, uploads }).fetch);
  onTestFinished(server.close);
  return { ...server, uploads };
}

const few = (perCaller: number) => ({
  ...receiveShares,
  perCaller,
  perTenant: perCaller,
  queuePerCaller: 0,
});

const unfinished = async () => ({
  files: (await stored(app())).length,
  rows: (await rows(app())).filter(({ status }) => status === "pending").length,
  imports: await app().db.reader.import.count({ where: { input: "", status: "queued" } }),
});

test("the router has operations that take files", () => {
  expect(names).toContain("attachment.upload");
});

test.each(names)("a file that arrives too slowly is 408 and frees its turn: %s", async (name) => {
  const { user, fileOf } = await fileScene(app());
  const before = await unfinished();
  const rate = { bytesPerSecond: 2_000, windowMs: 300 };
  const { port } = await serve({ rate, receiveShares: few(1) });
  const { path, body } = fileOf(routeOf(name));
  const slow = await new Sending(port, path, chunked(user.token)).trickle(" ");
  expect(slow).toMatchObject({
    status: 408,
    body: {
      code: "REQUEST_TIMEOUT",
      issues: [{ message: "The request body arrived too slowly.", code: "request_timeout" }],
    },
  });
  await expect.poll(unfinished).toEqual(before);
  // Far above the rate, but slower than the window.
  const steady = new Sending(port, path, chunked(user.token));
  steady.send(body);
  for (let part = 0; part < 10; part++) {
    steady.send(" ".repeat(20_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await steady.finish("")).status).toBe(200);
});

test("a file that arrived too slowly is sent again with the same Idempotency-Key", async () => {
  const { user, fileOf } = await fileScene(app());
  const rate = { bytesPerSecond: 2_000, windowMs: 300 };
  const { port } = await serve({ rate });
  const { path, body } = fileOf(routeOf("attachment.upload"));
  const headers = { ...chunked(user.token), "Idempotency-Key": "once" };
  expect((await new Sending(port, path, headers).trickle(" ")).status).toBe(408);
  expect((await new Sending(port, path, headers).finish(body)).status).toBe(200);
});

test.each(storing)("a user sends few files at a time; others are not delayed: %s", async (name) => {
  const [{ user, fileOf }, other] = [await fileScene(app()), await fileScene(app())];
  const { port } = await serve({ receiveShares: few(2) });
  const { path, body } = fileOf(routeOf(name));
  const before = await unfinished();
  const first = new Sending(port, path, chunked(user.token));
  first.send(" ");
  const second = new Sending(port, path, chunked(user.token));
  second.send(" ");
  await expect.poll(async () => (await unfinished()).files).toBe(before.files + 2);
  const third = await new Sending(port, path, chunked(user.token)).finish(body);
  expect(third).toMatchObject({ status: 503, body: { issues: [{ code: "overloaded" }] } });
  const { path: otherPath } = other.fileOf(routeOf(name));
  const ofOther = new Sending(port, otherPath, chunked(other.user.token));
  expect((await ofOther.finish(body)).status).toBe(200);
  const both = await Promise.all([first, second].map((one) => one.finish(body)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

test.each(storing)("the network with the most files loses its oldest: %s", async (name) => {
  const [{ user, fileOf }, other] = [await fileScene(app()), await fileScene(app())];
  const { port } = await serve({ maxOpen: 2 });
  const { path, body } = fileOf(routeOf(name));
  const before = await unfinished();
  const slow: Sending[] = [];
  for (let nth = 1; nth <= 2; nth++) {
    const sending = new Sending(port, path, chunked(user.token, "203.0.113.7"));
    sending.send(" ");
    slow.push(sending);
    await expect.poll(async () => (await unfinished()).files).toBe(before.files + nth);
  }
  const { path: otherPath } = other.fileOf(routeOf(name));
  const ofOther = new Sending(port, otherPath, chunked(other.user.token, "203.0.113.8"));
  expect(await slow[0]?.answered).toMatchObject({
    status: 503,
    body: { issues: [{ code: "overloaded" }] },
  });
  expect((await ofOther.finish(body)).status).toBe(200);
  expect((await slow[1]?.finish(body))?.status).toBe(200);
});

test.each(names)("the bytes of a user's files have a limit per day: %s", async (name) => {
  const { user, fileOf } = await fileScene(app());
  const { port, uploads } = await serve({}, 1);
  const { id } = await app().db.reader.user.findUniqueOrThrow({ where: { email: user.email } });
  const { path, body } = fileOf(routeOf(name));
  const send = (text: string) => new Sending(port, path, chunked(user.token)).finish(text);
  const declared = () =>
    new Sending(port, path, {
      Authorization: `Bearer ${user.token}`,
      "Content-Length": String(mebibyte),
    }).answered;
  // Two of the files fit.
  await uploads.bytes.spend(String(id), mebibyte - 2 * body.length - 10);
  const refused = { status: 429, body: { issues: [{ code: "rate_limited" }] } };
  expect(await declared()).toMatchObject(refused);
  expect(await send(" ".repeat(2 * body.length + 20))).toMatchObject(refused);
  expect((await send(body)).status).toBe(200);
  expect((await send(body)).status).toBe(200);
  expect(await send(body)).toMatchObject(refused);
});

test("the files of a user count in all workspaces, also copies; those of others do not", async () => {
  const { user, fileOf, card } = await fileScene(app());
  const { port, uploads } = await serve({}, 1);
  const { id } = await app().db.reader.user.findUniqueOrThrow({ where: { email: user.email } });
  const { path, body } = fileOf(routeOf("attachment.upload"));
  const to = (url: string, token: string) => new Sending(port, url, chunked(token)).finish(body);
  await uploads.bytes.spend(String(id), mebibyte - 2 * body.length);
  expect((await to(path, user.token)).status).toBe(200);
  await makeWorkspace(app(), user);
  const duplicate = (withAttachments: boolean) =>
    fetch(`http://127.0.0.1:${port}/api/v1/cards/${card}/duplicate`, {
      method: "POST",
      headers: { Authorization: `Bearer ${user.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ withAttachments }),
    });
  expect((await duplicate(true)).status).toBe(200);
  expect((await duplicate(true)).status).toBe(429);
  expect((await duplicate(false)).status).toBe(200);
  expect((await to(path, user.token)).status).toBe(429);
  const other = await fileScene(app());
  const { path: otherPath } = other.fileOf(routeOf("attachment.upload"));
  expect((await to(otherPath, other.user.token)).status).toBe(200);
});

test("a refused file does not count, whatever the reason", async () => {
  const { user, fileOf } = await fileScene(app());
  const { port, uploads } = await serve({}, 1);
  const { id } = await app().db.reader.user.findUniqueOrThrow({ where: { email: user.email } });
  const stranger = await makeUser(app());
  const { path, body } = fileOf(routeOf("import.trelloFile"));
  const send = (text: string, token = user.token) =>
    new Sending(port, path, chunked(token)).finish(text);
  await uploads.bytes.spend(String(id), mebibyte - body.length);
  for (let nth = 0; nth < 3; nth++) {
    expect((await send("<".repeat(body.length))).status).toBe(400);
    expect((await send(body, stranger.token)).status).toBe(403);
  }
  expect((await send(body)).status).toBe(200);
});

test.each(takingFiles)("$operation compares the bytes of calls with one key", async (route) => {
  const { user, fileOf } = await fileScene(app());
  const { path, body } = fileOf(route);
  const send = (text: string, key: string) =>
    app().call({
      method: "POST",
      path,
      token: user.token,
      body: text,
      headers: { "Idempotency-Key": key, "Content-Type": "application/octet-stream" },
    });
  const isReplayed = ({ headers }: Reply) => headers.get("idempotency-replayed") === "true";
  // An invalid file is corrected; then its key is used for another file.
  for (const texts of [
    ["<html>", body],
    [body, "<html>"],
    ["", body],
  ]) {
    const key = `other bytes ${texts.join("").length} ${texts[0]?.length}`;
    const [first = "", second = ""] = texts;
    const { status } = await send(first, key);
    const other = await send(second, key);
    expect(isReplayed(other)).toBe(false);
    if (status === 200) expect(other.status).toBe(422);
    expect([200, 422]).toContain(other.status);
  }
});
