import { paginate } from "@workspace-board-service/client";
import { allOf, boards } from "../service.ts";

/** The deleted boards, lists and cards of a workspace that the user may see. */
export const trashOf = (workspacePublicId: string, signal: AbortSignal) =>
  allOf(paginate((page) => boards.workspace.trash(page, { signal }), { workspacePublicId }));
