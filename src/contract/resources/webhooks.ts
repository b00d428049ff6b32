import { z } from "zod";
import { CreatedAt, UpdatedAt, Version, WebhookName } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";

/** A webhook without its secret. */
export const Webhook = z
  .object({
    publicId: idOf("webhook"),
    name: WebhookName,
    url: z
      .string()
      .meta({ description: "The URL.", examples: ["https://hooks.example.com/boards"] }),
    events: z.array(z.string()).meta({
      description:
        "Event types such as `card.created`, `card.*` for all of a resource, or `*` for all.",
      examples: [["card.*", "list.created"]],
    }),
    boardPublicId: idOf("board", "The only board of the webhook. Null for all boards.").nullable(),
    isActive: z.boolean().meta({ description: "Whether the webhook receives events." }),
    active: z
      .boolean()
      .meta({ examples: [true], description: "Use `isActive`.", deprecated: true }),
    version: Version,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: "Webhook", description: "A webhook without its secret." });

/** A webhook with its workspace. */
export const WebhookDetail = Webhook.extend({ workspacePublicId: idOf("workspace") }).meta({
  id: "WebhookDetail",
  description: "A webhook with its workspace.",
});

/** A webhook in events. Its URL is not included: it may contain a secret. */
export const WebhookInfo = Webhook.omit({ url: true }).meta({
  id: "WebhookInfo",
  description: "A webhook in events, without its URL, which may contain a secret.",
});
