import { router } from "../trpc.ts";
import { createWorkspace } from "./create.ts";
import { deleteWorkspace } from "./delete.ts";
import { getWorkspace } from "./get.ts";
import { listWorkspaces } from "./list.ts";
import { updateWorkspace } from "./update.ts";

/** Workspaces. */
export const workspaces = router({
  list: listWorkspaces,
  create: createWorkspace,
  get: getWorkspace,
  update: updateWorkspace,
  delete: deleteWorkspace,
});
