import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook } from "../../src/client/index.ts";

const secret = `whsec_${Buffer.from("a secret of twenty-four bytes").toString("base64")}`;
const other = `whsec_${Buffer.from("another secret, also 24 bytes").toString("base64")}`;
const body = JSON.stringify({ type: "card.created", data: {} });

/** The headers of a delivery that the reference library has signed. */
function signed(at = new Date()) {
  return {
    "webhook-id": "event1234567",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("event1234567", at, body),
  };
}

test("returns the event of a signed delivery, with one or several secrets", async () => {
  expect(await verifyWebhook(body, signed(), secret)).toMatchObject({ type: "card.created" });
  expect(await verifyWebhook(body, new Headers(signed()), [other, secret])).toBeDefined();
});

test.each([
  ["another secret", body, signed(), other],
  ["a modified body", body.replace("created", "deleted"), signed(), secret],
  ["an old timestamp", body, signed(new Date(Date.now() - 400_000)), secret],
  ["no headers", body, {}, secret],
  ["an invalid signature", body, { ...signed(), "webhook-signature": "v1,!" }, secret],
])("rejects %s", async (_, text, headers, key) => {
  await expect(verifyWebhook(text, headers, key)).rejects.toMatchObject({
    code: "INVALID_SIGNATURE",
  });
});
