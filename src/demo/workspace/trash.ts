import { paginate } from "@workspace-board-service/client";
import { boards } from "../base/service.ts";
import { allOf } from "../base/use-query.ts";
import type { Stored } from "./restore-list.tsx";

/** The deleted boards, lists and cards of a workspace that the user may see. */
export const trashOf = (workspacePublicId: string, signal: AbortSignal) =>
  allOf(paginate((page) => boards.workspace.trash(page, { signal }), { workspacePublicId }));

/** Brings an entry of the trash back. */
export const restore = ({ type, publicId }: Stored): Promise<unknown> => {
  if (type === "board") return boards.board.restore({ boardPublicId: publicId });
  if (type === "list") return boards.list.restore({ listPublicId: publicId });
  return boards.card.restore({ cardPublicId: publicId });
};
