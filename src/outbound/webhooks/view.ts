import { z } from "zod";
import type { Webhook as WebhookRow } from "../../platform/db/rows.ts";
import type { Changes } from "../../kernel/unit-of-work.ts";
import { iso, Timestamp } from "../../contract/fields.ts";

/** A target that is told of a workspace's events; its secret is never shown again. */
export const Webhook = z
  .object({
    publicId: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    boardPublicId: z.string().nullable(),
    active: z.boolean(),
    version: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Webhook" });

/** A webhook as events tell of it: without its address, which may hold a secret and is not for everybody who reads events. */
export const WebhookInfo = Webhook.omit({ url: true }).meta({ id: "WebhookInfo" });

/** Shows a webhook's row; `board` is the one that it is bound to. */
export const viewWebhook = (
  webhook: WebhookRow,
  board: { publicId: string } | null,
): z.infer<typeof Webhook> => ({
  publicId: webhook.publicId,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  boardPublicId: board?.publicId ?? null,
  active: webhook.active,
  version: webhook.version,
  createdAt: iso(webhook.createdAt),
  updatedAt: iso(webhook.updatedAt),
});

/** What changed of a webhook, as an event may tell it: of its address only where it points. */
export const toldChanges = ({ url, ...changes }: Changes): Changes =>
  url === undefined
    ? changes
    : { ...changes, url: { from: originOf(url.from), to: originOf(url.to) } };

const originOf = (url: unknown) => new URL(String(url)).origin;
