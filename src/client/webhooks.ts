import { BoardServiceError } from "./errors.ts";
import type { BoardEvent } from "./router.ts";

const encoder = new TextEncoder();

/** The headers of a request: those of fetch, or a plain object as in Node.js. */
export type WebhookHeaders =
  | {
      /** Reads a header. */
      get(name: string): string | null;
    }
  | Record<string, string | string[] | undefined>;

/** The options of `verifyWebhook`. */
export type WebhookOptions = {
  /** How far `webhook-timestamp` may be from the current time (300). */
  toleranceSeconds?: number;
  /** The current time in ms. */
  now?: number;
};

/**
 * Verifies a webhook request (Standard Webhooks) and returns its event.
 *
 * `body` is the unparsed text. After a rotation `secret` can be a list of secrets. Throws a
 * `BoardServiceError` with the code `INVALID_SIGNATURE`.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<BoardEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw invalid("The webhook-timestamp is missing or too far from the current time.");
  }
  for (const candidate of typeof secret === "string" ? [secret] : secret) {
    const key = await keyOf(candidate);
    for (const signature of signatures) {
      const bytes = signature.startsWith("v1,") ? bytesOf(signature.slice(3)) : undefined;
      const signed = encoder.encode(`${id}.${timestamp}.${body}`);
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) {
        return JSON.parse(body) as BoardEvent;
      }
    }
  }
  throw invalid("The webhook-signature is missing or does not match.");
}

const invalid = (message: string) =>
  new BoardServiceError({ status: 0, code: "INVALID_SIGNATURE", message });

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers["get"] === "function") return headers.get(name) ?? "";
  const value = (headers as Record<string, string | string[] | undefined>)[name];
  return typeof value === "string" ? value : "";
}

/** The key of a `whsec_` secret. `verify` compares in constant time. */
async function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === undefined) throw invalid("The secret is not a `whsec_` secret.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

/** Decodes base64; undefined when it is invalid. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
