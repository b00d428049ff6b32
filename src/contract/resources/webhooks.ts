import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

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
