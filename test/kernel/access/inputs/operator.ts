import type { Operation } from "../../../../src/contract/policy.ts";
import { jobIdOf } from "../../../../src/domain/operator/find-job.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { sql } from "../../../../src/platform/db/sql.ts";
import { insertJob, withoutAdmins } from "../../../support/operator.ts";
import { putImport } from "../fixtures.ts";
import { insertUser } from "../rows.ts";
import { text, webhook } from "../targets.ts";
import type { World } from "../world.ts";
import { on, type Make } from "./make.ts";

/** The id of a new account, which is in no workspace. */
async function user({ app }: World): Promise<string> {
  const id = publicId();
  await insertUser(app, { publicId: id, email: `${id}@example.com`, name: "Operated" });
  return id;
}

const onUser = (more: () => object = () => ({})): Make =>
  on(async (world) => ({ userPublicId: await user(world), ...more() }));

/** A new workspace of the fixtures' admin, which is in the trash if it says so. */
async function workspace({ app, fixtures }: World, isDeleted = false): Promise<string> {
  const { body } = await fixtures.admin.rest.post("/workspaces", { name: text() });
  const at = isDeleted ? app.deps.clock() : null;
  await app.db.write(sql`UPDATE workspaces SET "deletedAt" = ${at}::timestamptz
    WHERE "publicId" = ${body.publicId}`);
  return body.publicId;
}

const onJob = (status: "failed" | "queued"): Make =>
  on(async ({ app }) => ({ jobId: jobIdOf(app.deps.seal, await insertJob(app, status)) }));

/** Valid inputs of the operators' operations. */
export const operatorInputs = {
  "operator.users": on(() => ({})),
  "operator.user": on(({ fixtures }) => ({ userPublicId: fixtures.admin.publicId })),
  "operator.updateUser": onUser(() => ({
    isDisabled: true,
    email: `${publicId()}@example.com`,
  })),
  "operator.resetPassword": onUser(),
  "operator.removeSecondFactors": onUser(),
  "operator.deleteUser": onUser(),
  "operator.workspaces": on(() => ({})),
  "operator.updateWorkspace": on(async (world) => ({
    workspacePublicId: await workspace(world),
    attachmentsQuota: 5,
  })),
  "operator.addAdmin": on(async (world) => {
    const workspacePublicId = await workspace(world);
    await withoutAdmins(world.app, workspacePublicId);
    return { workspacePublicId, userPublicId: await user(world) };
  }),
  "operator.deleteWorkspace": on(async (world) => ({ workspacePublicId: await workspace(world) })),
  "operator.restoreWorkspace": on(async (world) => ({
    workspacePublicId: await workspace(world, true),
  })),
  "operator.jobs": on(() => ({})),
  "operator.retryJob": onJob("failed"),
  "operator.cancelJob": onJob("queued"),
  "operator.webhooks": on(() => ({})),
  "operator.disableWebhook": on(async (world) => ({ webhookPublicId: await webhook(world) })),
  "operator.deliveries": on(({ fixtures }) => ({ webhookPublicId: fixtures.ids.webhook })),
  "operator.retryDelivery": on(({ fixtures }) => ({
    webhookPublicId: fixtures.ids.webhook,
    deliveryPublicId: fixtures.ids.delivery,
  })),
  "operator.imports": on(() => ({})),
  "operator.cancelImport": on(async ({ app, fixtures }) => ({
    importPublicId: await putImport(app, fixtures.id, fixtures.admin.id),
  })),
  "operator.log": on(() => ({})),
} satisfies Partial<Record<Operation, Make>>;
