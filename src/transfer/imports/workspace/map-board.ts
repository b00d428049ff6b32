import type { Items } from "../../format/workspace.ts";
import type { Skip } from "../write/limits.ts";
import type { MappedMember, SourceBoard } from "../write/model.ts";

/** The members of the document who are members here, by their ids in the document. */
export type Members = ReadonlyMap<string, MappedMember>;

/** The reason for a relation to a member who was not imported. */
export const memberMissing = "The member was not imported.";

/** Converts a board of the document. */
export function mapExportedBoard(
  board: Items["boards"],
  members: Members,
  skip: Skip,
): SourceBoard {
  const { publicId: sourceId, memberPublicIds, labels, lists, fields, ...others } = board;
  const memberIds = memberPublicIds.flatMap((id) => members.get(id)?.id ?? []);
  const count = memberPublicIds.length - memberIds.length;
  if (count > 0) skip({ kind: "boardMember", name: board.name, reason: memberMissing, count });
  const { createdAt, updatedAt } = board;
  return {
    ...others,
    sourceId,
    memberIds,
    labels: labels.map(({ publicId, name, colourCode }) => {
      return { sourceId: publicId, name, colourCode, createdAt, updatedAt };
    }),
    fields: fields.map(({ publicId, options, ...field }) => ({
      ...field,
      sourceId: publicId,
      options: options.map(({ publicId: id, ...option }) => ({ ...option, sourceId: id })),
    })),
    lists: lists.map(({ publicId, ...list }) => ({ ...list, sourceId: publicId })),
  };
}
