import { addAdmin } from "../../domain/operator/add-admin.ts";
import { cancelJob } from "../../domain/operator/cancel-job.ts";
import { deleteUser } from "../../domain/operator/delete-user.ts";
import { deleteAnyWorkspace } from "../../domain/operator/delete-workspace.ts";
import { listAllImports } from "../../domain/operator/imports.ts";
import { listJobs } from "../../domain/operator/jobs.ts";
import { listActions } from "../../domain/operator/log.ts";
import { removeSecondFactors } from "../../domain/operator/remove-second-factors.ts";
import { resetUserPassword } from "../../domain/operator/reset-password.ts";
import { restoreAnyWorkspace } from "../../domain/operator/restore-workspace.ts";
import { retryJob } from "../../domain/operator/retry-job.ts";
import { updateUser } from "../../domain/operator/update-user.ts";
import { updateAnyWorkspace } from "../../domain/operator/update-workspace.ts";
import { getUser } from "../../domain/operator/user.ts";
import { listUsers } from "../../domain/operator/users.ts";
import { listAllWorkspaces } from "../../domain/operator/workspaces.ts";
import { listAnyDeliveries } from "../../outbound/webhooks/operator-deliveries.ts";
import { disableAnyWebhook } from "../../outbound/webhooks/operator-disable.ts";
import { retryAnyDelivery } from "../../outbound/webhooks/operator-redeliver.ts";
import { listAllWebhooks } from "../../outbound/webhooks/operator-webhooks.ts";
import { cancelAnyImport } from "../../transfer/imports/operator-cancel.ts";

/** The operations of operators on the whole service. */
export const operator = {
  users: listUsers,
  user: getUser,
  updateUser,
  resetPassword: resetUserPassword,
  removeSecondFactors,
  deleteUser,
  workspaces: listAllWorkspaces,
  updateWorkspace: updateAnyWorkspace,
  addAdmin,
  deleteWorkspace: deleteAnyWorkspace,
  restoreWorkspace: restoreAnyWorkspace,
  jobs: listJobs,
  retryJob,
  cancelJob,
  webhooks: listAllWebhooks,
  disableWebhook: disableAnyWebhook,
  deliveries: listAnyDeliveries,
  retryDelivery: retryAnyDelivery,
  imports: listAllImports,
  cancelImport: cancelAnyImport,
  log: listActions,
};
