import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { isSecret, makeSecret, sign } from "../../../src/outbound/webhooks/message/sign.ts";

const bytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString("base64")}`;
const message = (body: string) => ({
  id: "msg_1",
  timestampSeconds: Math.floor(Date.now() / 1000),
  body,
});

test("makes secrets that are well formed and never the same", () => {
  const made = Array.from({ length: 100 }, makeSecret);
  expect(made.filter(isSecret)).toHaveLength(100);
  expect(new Set(made).size).toBe(100);
});

test("takes a given secret of 24 to 64 bytes", () => {
  const lengths = Array.from({ length: 100 }, (_, count) => count);
  const taken = lengths.filter((count) => isSecret(bytes(count)));
  expect(taken).toEqual(lengths.slice(24, 65));
});

test.each([
  ["empty", ""],
  ["without its prefix", bytes(32).slice(6)],
  ["with another prefix", bytes(32).replace("whsec_", "whsk_")],
  ["too short", bytes(23)],
  ["too long", bytes(65)],
  ["without its padding", bytes(32).replace("=", "")],
  ["with bits after its last byte", bytes(32).replace("c=", "d=")],
  ["in base64url", `whsec_${"-_".repeat(16)}`],
  ["with a line break", `${bytes(32)}\n`],
])("refuses a secret that is %s", (_case, secret) => {
  expect(isSecret(secret)).toBe(false);
});

test.each([
  ["plain", '{"a":1}'],
  ["of several alphabets", '{"a":"żółw 龜 🐢"}'],
])("signs a body that is %s as the receivers' library does", (_case, body) => {
  const secret = makeSecret();
  expect(new Webhook(secret).verify(body, sign([secret], message(body)))).toEqual(JSON.parse(body));
});

test("gives one signature per secret during a rotation, each of which verifies alone", () => {
  const [old, fresh] = [makeSecret(), makeSecret()];
  const headers = sign([fresh, old], message("{}"));
  const signatures = headers["webhook-signature"].split(" ");
  expect(signatures).toHaveLength(2);
  for (const [index, secret] of [fresh, old].entries()) {
    const alone = { ...headers, "webhook-signature": signatures[index] ?? "" };
    expect(new Webhook(secret).verify("{}", headers)).toEqual({});
    expect(new Webhook(secret).verify("{}", alone)).toEqual({});
  }
});

test.each([
  ["body", { body: "{ }" }],
  ["id", { id: "msg_2" }],
  ["time", { timestampSeconds: message("").timestampSeconds - 1 }],
])("does not verify another %s", (_case, changed) => {
  const secret = makeSecret();
  const signature = sign([secret], message("{}"))["webhook-signature"];
  const other = { ...message("{}"), ...changed };
  const headers = { ...sign([secret], other), "webhook-signature": signature };
  expect(() => new Webhook(secret).verify(other.body, headers)).toThrow("No matching signature");
});
