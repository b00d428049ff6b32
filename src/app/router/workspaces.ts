import { batchOperations } from "./batch.ts";
import { router } from "../../kernel/request/trpc.ts";
import { listAudit } from "../../domain/workspaces/audit.ts";
import { checkWorkspaceSlug } from "../../domain/workspaces/check-slug.ts";
import { createWorkspace } from "../../domain/workspaces/create.ts";
import { deleteWorkspace } from "../../domain/workspaces/delete.ts";
import { exportWorkspace } from "../../transfer/exports/workspace.ts";
import { listEvents } from "../../outbound/stream/feed.ts";
import { getWorkspaceBySlug } from "../../domain/workspaces/get-by-slug.ts";
import { getWorkspace } from "../../domain/workspaces/get.ts";
import { importWorkspace } from "../../transfer/imports/workspace.ts";
import { listWorkspaces } from "../../domain/workspaces/list.ts";
import { snapshotWorkspace } from "../../transfer/snapshots/workspace.ts";
import { restoreWorkspace } from "../../domain/workspaces/restore.ts";
import { searchWorkspace } from "../../domain/workspaces/search.ts";
import { streamEvents } from "../../outbound/stream/subscribe.ts";
import { listTrash } from "../../domain/workspaces/trash.ts";
import { updateWorkspace } from "../../domain/workspaces/update.ts";

/** Workspaces. */
export const workspaces = router({
  list: listWorkspaces,
  create: createWorkspace,
  get: getWorkspace,
  getBySlug: getWorkspaceBySlug,
  checkSlugAvailability: checkWorkspaceSlug,
  batch: batchOperations,
  update: updateWorkspace,
  delete: deleteWorkspace,
  restore: restoreWorkspace,
  search: searchWorkspace,
  trash: listTrash,
  export: exportWorkspace,
  snapshot: snapshotWorkspace,
  import: importWorkspace,
  audit: listAudit,
  events: listEvents,
  stream: streamEvents,
});
