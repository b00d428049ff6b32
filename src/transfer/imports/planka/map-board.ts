import { colours } from "../../integrations/planka/colours.ts";
import type { PlankaBoard, PlankaLabel, PlankaList } from "../../integrations/planka/shapes.ts";
import { momentOf, nameOf } from "../../../platform/foreign-text.ts";
import { limitedName, limitedText, type Skip } from "../write/limits.ts";
import { sourceList } from "../write/source-parts.ts";
import { timesOf, type SourceBoard, type SourceLabel } from "../write/source.ts";
import type { PlankaCustomFields } from "./custom-fields.ts";

/** The list of archived cards whose former list is gone. */
export const archiveOf = (board: { id: string }) => `${board.id}/archive`;

/** The lists that people see, in their order. */
export const shownLists = (lists: PlankaList[]) =>
  lists
    .filter(({ type }) => type === "active" || type === "closed")
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));

/** Converts a board. Its description names its project. */
export function mapPlankaBoard(
  { item, included }: PlankaBoard,
  fields: PlankaCustomFields,
  hasLooseArchive: boolean,
  skip: Skip,
): SourceBoard {
  const name = limitedName("board", item, 255, "Untitled board", skip);
  const partly = (reason: string) =>
    skip({ kind: "board", sourceId: item.id, name, severity: "partial", reason });
  const [project] = included.projects;
  const about = [nameOf(project?.name), nameOf(project?.description)].filter(
    (text) => text !== null,
  );
  const archive = { id: archiveOf(item), name: "Archive" };
  const lists = shownLists(included.lists);
  for (const { id: sourceId, name: list, color } of lists)
    if (nameOf(color) !== null)
      skip({
        kind: "list",
        sourceId,
        name: nameOf(list),
        severity: "partial",
        reason: "Colours of lists are not supported.",
      });
  return {
    publicId: item.id,
    name,
    description: limitedText("description of the board", about.join("\n\n"), 10_000, partly),
    archivedAt: null,
    ...timesOf(momentOf(item.createdAt)),
    lists: [
      ...lists.map((list) => sourceList(list, skip)),
      ...(hasLooseArchive ? [sourceList({ ...archive, archivedAt: "now" }, skip)] : []),
    ],
    labels: included.labels
      .toSorted((one, other) => one.position - other.position)
      .map((label) => mapLabel(label, skip)),
    fields: fields.source(skip),
  };
}

function mapLabel({ id, name, color }: PlankaLabel, skip: Skip): SourceLabel {
  const colourCode = colours.get(color ?? "") ?? null;
  if (colourCode === null) {
    const reason = "Its colour is not one of Planka's.";
    skip({ kind: "label", sourceId: id, name: nameOf(name), severity: "partial", reason });
  }
  // Labels at Planka need no name: then the colour is the name.
  const shownName = nameOf(name) ?? nameOf(color)?.replaceAll("-", " ") ?? "No colour";
  return {
    publicId: id,
    name: limitedName("label", { id, name: shownName }, 36, "", skip),
    colourCode,
  };
}
