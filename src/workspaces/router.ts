import { router } from "../trpc.ts";
import { listAudit } from "./audit.ts";
import { checkWorkspaceSlug } from "./check-slug.ts";
import { createWorkspace } from "./create.ts";
import { deleteWorkspace } from "./delete.ts";
import { exportWorkspace } from "./export.ts";
import { listEvents } from "./events.ts";
import { getWorkspaceBySlug } from "./get-by-slug.ts";
import { getWorkspace } from "./get.ts";
import { importWorkspace } from "./import.ts";
import { listWorkspaces } from "./list.ts";
import { restoreWorkspace } from "./restore.ts";
import { searchWorkspace } from "./search.ts";
import { streamEvents } from "./stream.ts";
import { listTrash } from "./trash.ts";
import { updateWorkspace } from "./update.ts";

/** Workspaces. */
export const workspaces = router({
  list: listWorkspaces,
  create: createWorkspace,
  get: getWorkspace,
  getBySlug: getWorkspaceBySlug,
  checkSlugAvailability: checkWorkspaceSlug,
  update: updateWorkspace,
  delete: deleteWorkspace,
  restore: restoreWorkspace,
  search: searchWorkspace,
  trash: listTrash,
  export: exportWorkspace,
  import: importWorkspace,
  audit: listAudit,
  events: listEvents,
  stream: streamEvents,
});
