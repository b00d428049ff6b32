import { createHash } from "node:crypto";
import { z } from "zod";
import type { RestCalls } from "./rest-calls.ts";
import { Anything } from "./shapes.ts";

const webhooksPath = "/workspaces/{workspacePublicId}/webhooks";
const webhookPath = `${webhooksPath}/{webhookPublicId}`;

/** The bytes of a secret of ours, and of a block of SHA-256. */
const bytes = { min: 24, block: 64 };

/**
 * A secret of any text as one of ours.
 *
 * HMAC fills a short key with zeros and hashes a long one: receivers verify with the text itself.
 */
function secretOf(text: string): string {
  if (text.startsWith("whsec_")) return text;
  const key = Buffer.from(text);
  const hashed = key.length > bytes.block ? createHash("sha256").update(key).digest() : key;
  const filled = Buffer.alloc(Math.max(hashed.length, bytes.min));
  hashed.copy(filled);
  return `whsec_${filled.toString("base64")}`;
}

const SecretInput = z.string().min(1);

/** The fields of a webhook, and its secret where one is given. */
async function readBody(calls: RestCalls) {
  const { secret, ...fields } = await calls.body();
  const { data: text } = SecretInput.safeParse(secret);
  return { fields, secret: text === undefined ? undefined : secretOf(text) };
}

/** Adds a webhook, with a secret of any text. */
export async function createWebhook(calls: RestCalls) {
  const { fields, secret } = await readBody(calls);
  return calls.send("POST", Anything, webhooksPath, { ...fields, secret });
}

/** Updates a webhook; a secret replaces the one that it has. */
export async function updateWebhook(calls: RestCalls) {
  const { fields, secret } = await readBody(calls);
  const updated = await calls.send("PUT", Anything, webhookPath, fields);
  if (secret === undefined) return updated;
  const rotation = { secret, overlapHours: 0 };
  const { secret: _, ...rotated } = await calls.send(
    "POST",
    Anything,
    `${webhookPath}/rotate-secret`,
    rotation,
  );
  return { ...updated, ...rotated };
}
