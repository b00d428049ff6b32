import { router } from "../trpc.ts";
import { listEvents } from "./catalogue.ts";
import { createWebhook } from "./create.ts";
import { deleteWebhook } from "./delete.ts";
import { listDeliveries } from "./deliveries.ts";
import { getDelivery } from "./delivery.ts";
import { getWebhook } from "./get.ts";
import { listWebhooks } from "./list.ts";
import { redeliver } from "./redeliver.ts";
import { replay } from "./replay.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { testWebhook } from "./test.ts";
import { updateWebhook } from "./update.ts";

/** Targets that are told of a workspace's events. */
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
  replay,
  catalogue: listEvents,
});
