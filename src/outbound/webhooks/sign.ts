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

/** Says whether a secret is well formed: `whsec_` and 24 to 64 bytes in canonical base64. */
export const isSecret = (text: string) => {
  if (!text.startsWith(prefix)) return false;
  const key = keyOf(text);
  return (
    key.length >= 24 && key.length <= 64 && key.toString("base64") === text.slice(prefix.length)
  );
};

/** Signs one attempt, once per secret, so that during a rotation either of them verifies it; `timestampSeconds` is Unix time. */
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
