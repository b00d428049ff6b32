import type { z } from "zod";
import type { Webhook, WebhookDetail } from "../../contract/resources/webhooks.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import type { Changes } from "../../kernel/events/pending-event.ts";
import type { Webhook as WebhookRow } from "../../platform/db/rows.ts";

/** Shows a webhook's row with the board that limits it. */
export const showWebhook = (
  webhook: WebhookRow,
  board: { publicId: string } | null,
): z.infer<typeof Webhook> => ({
  publicId: webhook.publicId,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  boardPublicId: board?.publicId ?? null,
  isActive: webhook.active,
  active: webhook.active,
  version: webhook.version,
  createdAt: iso(webhook.createdAt),
  updatedAt: iso(webhook.updatedAt),
});

/** Shows a webhook's row with its workspace. */
export const showWebhookDetail = (
  webhook: WebhookRow,
  board: { publicId: string } | null,
  workspace: { publicId: string },
): z.infer<typeof WebhookDetail> => ({
  ...showWebhook(webhook, board),
  workspacePublicId: workspace.publicId,
});

/** A webhook's changes as events show them: a URL is reduced to its origin. */
export const redactChanges = ({ url, ...changes }: Changes): Changes =>
  url === undefined
    ? changes
    : { ...changes, url: { from: originOf(url.from), to: originOf(url.to) } };

const originOf = (url: unknown) => new URL(String(url)).origin;
