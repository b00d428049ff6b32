import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** A webhook without its secret. */
export const Webhook = z
  .object({
    publicId: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    boardPublicId: z.string().nullable(),
    isActive: z.boolean().meta({ description: "Whether the webhook receives events." }),
    active: z.boolean().meta({ description: "Use `isActive`.", deprecated: true }),
    version: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Webhook" });

/** A webhook with its workspace. */
export const WebhookDetail = Webhook.extend({ workspacePublicId: z.string() }).meta({
  id: "WebhookDetail",
});

/** A webhook in events. Its URL is not included: it may contain a secret. */
export const WebhookInfo = Webhook.omit({ url: true }).meta({ id: "WebhookInfo" });
