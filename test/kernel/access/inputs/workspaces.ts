import type { Operation } from "../../../../src/contract/policy.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { setDeleted as setRowDeleted } from "../../../support/rows.ts";
import { text, webhook } from "../targets.ts";
import type { World } from "../world.ts";
import { on, onWorkspace, type Make } from "./make.ts";

/** Deletes or restores the workspace without events and new versions, which other calls compare. */
const setDeleted = ({ app, fixtures }: World, deletedAt: Date | null) =>
  setRowDeleted(app, "workspaces", fixtures.ids.workspace, deletedAt);

/** Good inputs of what is done to a workspace and its webhooks. */
export const workspaceInputs = {
  "workspace.list": on(() => ({})),
  "workspace.create": on(() => ({ name: text() })),
  "workspace.get": onWorkspace(),
  "workspace.getBySlug": on(({ fixtures }) => ({
    workspaceSlug: fixtures.workspace.slug,
  })),
  "workspace.checkSlugAvailability": on(() => ({ slug: publicId() })),
  "workspace.batch": onWorkspace(() => ({ operations: [] as object[] })),
  "workspace.update": onWorkspace(() => ({ description: text() })),
  "workspace.delete": (world) => ({
    input: { workspacePublicId: world.fixtures.ids.workspace },
    undo: () => setDeleted(world, null),
  }),
  "workspace.restore": async (world) => {
    await setDeleted(world, world.app.deps.clock());
    return {
      input: { workspacePublicId: world.fixtures.ids.workspace },
      undo: () => setDeleted(world, null),
    };
  },
  "workspace.search": onWorkspace(() => ({ query: "Home" })),
  "workspace.trash": onWorkspace(),
  "workspace.audit": onWorkspace(),
  "workspace.export": onWorkspace(),
  "workspace.snapshot": onWorkspace(),
  "workspace.events": onWorkspace(),
  "workspace.stream": onWorkspace(),

  "webhook.list": onWorkspace(),
  "webhook.get": onWorkspace(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
  })),
  "webhook.create": onWorkspace(({ receiver }) => ({
    name: text(),
    url: receiver.url,
    events: ["workspace.restored"],
  })),
  "webhook.update": onWorkspace(async (world) => ({
    webhookPublicId: await webhook(world),
    name: text(),
  })),
  "webhook.delete": onWorkspace(async (world) => ({ webhookPublicId: await webhook(world) })),
  "webhook.test": onWorkspace(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
  })),
  "webhook.rotateSecret": onWorkspace(async (world) => ({
    webhookPublicId: await webhook(world),
    overlapHours: 1,
  })),
  "webhook.deliveries": onWorkspace(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
  })),
  "webhook.delivery": onWorkspace(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
    deliveryPublicId: fixtures.ids.delivery,
  })),
  "webhook.redeliver": onWorkspace(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
    deliveryPublicId: fixtures.ids.delivery,
  })),
  "webhook.replay": onWorkspace(async (world) => ({
    webhookPublicId: await webhook(world),
    since: world.app.deps.clock().toISOString(),
  })),
  "webhook.catalogue": on(() => ({})),
} satisfies Partial<Record<Operation, Make>>;
