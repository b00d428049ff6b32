import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { post } from "../../../src/platform/http/outgoing.ts";
import type { OutgoingOptions } from "../../../src/platform/http/address-guard.ts";
import { makeSecret } from "../../../src/outbound/webhooks/message/sign.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { type Given, secret, sendTo } from "./request.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver({ secrets: [secret], faultOf: () => undefined });
});
afterEach(() => receiver.close());

const send = (given?: Given, deps?: Partial<OutgoingOptions>) => sendTo(receiver.url, given, deps);

describe("a request", () => {
  test("has the signed body and Standard Webhooks headers, and the path and query of the URL", async () => {
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

  test("verifies with the old secret or the new one during a rotation", async () => {
    const fresh = makeSecret();
    receiver.trust(fresh);
    receiver.trust(makeSecret());
    await send({ secrets: [fresh, secret] });
    expect((await receiver.next()).verifiedBy).toEqual([secret, fresh]);
  });

  test("has the id of the first attempt and the time of its own", async () => {
    const start = Date.now();
    await send({}, { now: () => new Date(start - 60_000) });
    await send({}, { now: () => new Date(start) });
    const [first, second] = [await receiver.next(), await receiver.next()];
    expect(second.id).toBe(first.id);
    expect(second.timestampSeconds - first.timestampSeconds).toBe(60);
  });

  test("has the host name in the Host header, and connects to the address", async () => {
    const { resolve } = fakeDns({ "hooks.test": ["127.0.0.1"] });
    await send({ url: `http://hooks.test:${receiver.port}/` }, { resolve });
    expect((await receiver.next()).headers["host"]).toBe(`hooks.test:${receiver.port}`);
  });
});

describe("a response", () => {
  test.each([200, 201, 202, 204, 299])("with status %i is a success", async (status) => {
    receiver.response({ status });
    expect(await send()).toMatchObject({ ok: true, statusCode: status });
  });

  test.each([400, 401, 404, 410, 429, 500, 503])("with status %i is a failure", async (status) => {
    receiver.response({ status, body: "no" });
    const error = `The receiver responded with ${status}.`;
    expect(await send()).toMatchObject({
      ok: false,
      statusCode: status,
      error,
      responseText: "no",
    });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    "with status %i is a failure, and the redirect is not followed",
    async (status) => {
      const canary = await startReceiver();
      receiver.response({ status, headers: { location: canary.url } });
      const error = `The receiver responded with ${status}. Redirects are not followed.`;
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
  ])("with Retry-After %j means %j seconds", async (value, seconds) => {
    receiver.response({ status: 503, headers: { "retry-after": value } });
    const result = await send({}, { now: () => new Date(Date.UTC(2030, 0, 1)) });
    expect(result.retryAfterSeconds).toBe(seconds);
  });

  test("is stored up to 4 kB, cut between characters", async () => {
    receiver.response({ body: `x${"ż".repeat(5_000)}` });
    expect((await send()).responseText).toBe(`x${"ż".repeat(2_047)}`);
  });

  test("that is not text is stored without characters that PostgreSQL rejects", async () => {
    receiver.response({ body: Buffer.from([0x61, 0, 0xff, 0x62]) });
    expect((await send()).responseText).toBe("a\uFFFD\uFFFDb");
  });

  test("without end is read up to 64 kB, and the connection is closed", async () => {
    receiver.response({ how: "endless" });
    const result = await send();
    expect(result).toMatchObject({ ok: true, statusCode: 200, responseText: "x".repeat(4_096) });
    const response = await post(
      { url: new URL(receiver.url), addresses: ["127.0.0.1"] },
      { body: "{}", version: "1.2.3", signal: AbortSignal.timeout(20_000) },
    );
    expect(response.body).toHaveLength(64 * 1024);
    await receiver.idle();
  });

  test("is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, "x"));
    receiver.response({ headers: { "content-encoding": "gzip" }, body: bomb });
    const result = await send();
    expect(result.ok).toBe(true);
    expect(result.responseText).not.toContain("xx");
  });
});
