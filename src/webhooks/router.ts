import { router } from "../trpc.ts";
import { createWebhook } from "./create.ts";
import { deleteWebhook } from "./delete.ts";
import { listWebhooks } from "./list.ts";
import { testWebhook } from "./test.ts";

/** Targets that are told of a workspace's events. */
export const webhooks = router({
  list: listWebhooks,
  create: createWebhook,
  delete: deleteWebhook,
  test: testWebhook,
});
