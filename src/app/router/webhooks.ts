import { router } from "../../kernel/request/trpc.ts";
import { listEventTypes } from "../../outbound/webhooks/catalogue.ts";
import { createWebhook } from "../../outbound/webhooks/create.ts";
import { deleteWebhook } from "../../outbound/webhooks/delete.ts";
import { listDeliveries } from "../../outbound/webhooks/deliveries.ts";
import { getDelivery } from "../../outbound/webhooks/delivery.ts";
import { getWebhook } from "../../outbound/webhooks/get.ts";
import { listWebhooks } from "../../outbound/webhooks/list.ts";
import { redeliver } from "../../outbound/webhooks/redeliver.ts";
import { replayEvents } from "../../outbound/webhooks/replay.ts";
import { rotateSecret } from "../../outbound/webhooks/rotate-secret.ts";
import { testWebhook } from "../../outbound/webhooks/test.ts";
import { updateWebhook } from "../../outbound/webhooks/update.ts";

/** Webhooks of a workspace and their deliveries. */
export const webhooks = router({
  list: listWebhooks,
  get: getWebhook,
  create: createWebhook,
  update: updateWebhook,
  delete: deleteWebhook,
  test: testWebhook,
  rotateSecret,
  deliveries: listDeliveries,
  delivery: getDelivery,
  redeliver,
  replay: replayEvents,
  catalogue: listEventTypes,
});
