import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** The headers that a receiver verifies (Standard Webhooks). */
export type SignatureHeaders = {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
};

/** Makes a secret: `whsec_` and 32 random bytes in base64. */
export const makeSecret = () => prefix + randomBytes(32).toString("base64");

/** A secret: `whsec_` and the canonical base64 of 24 to 64 bytes. */
export const secretPattern =
  "^whsec_(?:[A-Za-z0-9+/]{4}){8,20}" +
  "(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|" +
  "(?:[A-Za-z0-9+/]{4})?(?:[A-Za-z0-9+/][AQgw]==)?)$";

const secretForm = new RegExp(secretPattern);

/** Whether a text is a secret of a webhook. */
export const isSecret = (text: string): boolean => secretForm.test(text);

/** The signature headers of one attempt: one signature for each secret. */
export const sign = (
  secrets: string[],
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): SignatureHeaders => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestampSeconds),
  "webhook-signature": secrets
    .map((secret) => createHmac("sha256", keyOf(secret)))
    .map((hmac) => `v1,${hmac.update(`${id}.${timestampSeconds}.${body}`).digest("base64")}`)
    .join(" "),
});

const keyOf = (secret: string) => Buffer.from(secret.slice(prefix.length), "base64");
