import { paginate } from "@workspace-board-service/client";
import { boards } from "../base/service.ts";
import { allOf } from "../base/use-query.ts";
import type { Stored } from "./restore-list.tsx";

type Trashed = Stored & { boardPublicId: string | null; fieldPublicId?: string | null };

/** The deleted resources and views of a workspace that the user may see. */
export async function trashOf(workspacePublicId: string, signal: AbortSignal): Promise<Trashed[]> {
  const [resources, views] = await Promise.all([
    allOf(paginate((page) => boards.workspace.trash(page, { signal }), { workspacePublicId })),
    boards.view.list({ workspacePublicId, deleted: true }, { signal }),
  ]);
  return [...resources, ...views.map((view) => ({ ...view, type: "view" as const }))];
}

/** Brings an entry of the trash back. */
export const restore = (entry: Trashed): Promise<unknown> => {
  const { type, publicId } = entry;
  if (type === "board") return boards.board.restore({ boardPublicId: publicId });
  if (type === "list") return boards.list.restore({ listPublicId: publicId });
  if (type === "field") return boards.field.restore({ fieldPublicId: publicId });
  if (type === "fieldOption") return restoreOption(entry);
  if (type === "view") return boards.view.restore({ viewPublicId: publicId });
  return boards.card.restore({ cardPublicId: publicId });
};

/** An option comes back when its field has it again. */
async function restoreOption({ publicId, name, boardPublicId, fieldPublicId }: Trashed) {
  const fields = boardPublicId === null ? [] : await boards.field.list({ boardPublicId });
  const field = fields.find((one) => one.publicId === fieldPublicId);
  if (field === undefined) throw new Error("The field of the option is deleted. Restore it first.");
  const options = [...field.options, { publicId, name }];
  return boards.field.update({ fieldPublicId: field.publicId, options });
}
