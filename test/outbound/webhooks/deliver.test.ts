import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { post } from "../../../src/platform/http/outgoing.ts";
import type { Outgoing } from "../../../src/platform/http/address-guard.ts";
import { makeSecret } from "../../../src/outbound/webhooks/sign.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Given, secret, sendTo } from "./send.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver({ secrets: [secret] });
});
afterEach(() => receiver.close());

const send = (given?: Given, deps?: Partial<Outgoing>) => sendTo(receiver.url, given, deps);

describe("what is sent", () => {
  test("is the signed body with Standard Webhooks headers, to the path and query as given", async () => {
    const now = new Date();
    const body = '{"type":"card.created","data":{"title":"żółw 🐢"}}';
    const result = await send({ url: `${receiver.url}hook?a=1`, body }, { now: () => now });
    expect(result).toMatchObject({ ok: true, statusCode: 200, responseText: "" });
    expect(result).not.toHaveProperty("error");
    const { headers, ...delivery } = await receiver.next();
    expect(delivery).toEqual({
      id: "msg_1",
      timestampSeconds: Math.floor(now.getTime() / 1000),
      path: "/hook?a=1",
      body,
      verifiedBy: [secret],
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "workspace-board-service/1.2.3",
      "accept-encoding": "identity",
      connection: "close",
    });
  });

  test("verifies with the old secret alone and with the new one alone during a rotation", async () => {
    const fresh = makeSecret();
    receiver.trust(fresh);
    receiver.trust(makeSecret());
    await send({ secrets: [fresh, secret] });
    expect((await receiver.next()).verifiedBy).toEqual([secret, fresh]);
  });

  test("carries the id of the first attempt and the time of this one", async () => {
    const start = Date.now();
    await send({}, { now: () => new Date(start - 60_000) });
    await send({}, { now: () => new Date(start) });
    const [first, second] = [await receiver.next(), await receiver.next()];
    expect(second.id).toBe(first.id);
    expect(second.timestampSeconds - first.timestampSeconds).toBe(60);
  });

  test("keeps the name in the Host header though it connects to the address", async () => {
    const { resolve } = fakeDns({ "hooks.test": ["127.0.0.1"] });
    await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve });
    expect((await receiver.next()).headers["host"]).toBe(`hooks.test:${receiver.port}`);
  });
});

describe("what comes back", () => {
  test.each([200, 201, 202, 204, 299])("%i is success", async (status) => {
    receiver.answer({ status });
    expect(await send()).toMatchObject({ ok: true, statusCode: status });
  });

  test.each([400, 401, 404, 410, 429, 500, 503])("%i is failure", async (status) => {
    receiver.answer({ status, body: "no" });
    const error = `The target answered ${status}.`;
    expect(await send()).toMatchObject({
      ok: false,
      statusCode: status,
      error,
      responseText: "no",
    });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    "%i is failure and not followed",
    async (status) => {
      const canary = await startReceiver();
      receiver.answer({ status, headers: { location: canary.url } });
      const error = `The target answered ${status}, a redirect, and redirects are never followed.`;
      expect(await send()).toMatchObject({ ok: false, statusCode: status, error });
      expect([canary.connections(), receiver.connections()]).toEqual([0, 1]);
      await canary.close();
    },
  );

  test.each([
    ["17", 17],
    ["0", 0],
    ["99999999999999999999", 86_400],
    [new Date(Date.UTC(2030, 0, 1, 0, 0, 30)).toUTCString(), 30],
    [new Date(Date.UTC(2029, 0, 1)).toUTCString(), 0],
    ["-5", undefined],
    ["soon", undefined],
  ])("Retry-After %j means %j seconds", async (value, seconds) => {
    receiver.answer({ status: 503, headers: { "retry-after": value } });
    const result = await send({}, { now: () => new Date(Date.UTC(2030, 0, 1)) });
    expect(result.retryAfterSeconds).toBe(seconds);
  });

  test("shows the first 4 kB of the answer, cut between characters", async () => {
    receiver.answer({ body: `x${"ż".repeat(5_000)}` });
    expect((await send()).responseText).toBe(`x${"ż".repeat(2_047)}`);
  });

  test("shows an answer that is no text without characters that cannot be stored", async () => {
    receiver.answer({ body: Buffer.from([0x61, 0, 0xff, 0x62]) });
    expect((await send()).responseText).toBe("a\uFFFD\uFFFDb");
  });

  test("is read up to 64 kB of an endless answer, then the connection is cut", async () => {
    receiver.answer({ how: "endless" });
    const result = await send();
    expect(result).toMatchObject({ ok: true, statusCode: 200, responseText: "x".repeat(4_096) });
    const answer = await post({
      url: new URL(receiver.url),
      addresses: ["127.0.0.1"],
      headers: {},
      body: "{}",
      signal: AbortSignal.timeout(5_000),
    });
    expect(answer.body).toHaveLength(64 * 1024);
    await receiver.idle();
  });

  test("never unpacks a packed answer", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, "x"));
    receiver.answer({ headers: { "content-encoding": "gzip" }, body: bomb });
    const result = await send();
    expect(result.ok).toBe(true);
    expect(result.responseText).not.toContain("xx");
  });
});
