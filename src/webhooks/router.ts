import { router } from "../trpc.ts";
import { createWebhook } from "./create.ts";
import { deleteWebhook } from "./delete.ts";
import { getWebhook } from "./get.ts";
import { listWebhooks } from "./list.ts";
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
});
