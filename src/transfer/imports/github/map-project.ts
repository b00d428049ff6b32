import { noTime } from "../write/no-time.ts";
import { limitedName, limitedText, type Skip } from "../write/limits.ts";
import { momentOf, nameOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import { sourceList } from "../write/source-parts.ts";
import { timesOf, type SourceBoard, type SourceLabel } from "../write/source.ts";
import type { StagedCard } from "../write/staged-board.ts";
import { mapCustomFields } from "./custom-fields.ts";
import type { ProjectHead, ProjectItem } from "../../integrations/github/project-items.ts";

/** The single-select field whose options become lists. */
export type Columns = { fieldId: string | null; lists: { id: string; name: unknown }[] };

/** A project that was read, with the items of each column in their order. */
export type ReadProject = {
  head: ProjectHead;
  columns: Columns;
  lists: Map<string, StagedCard[]>;
  labels: Map<string, SourceLabel>;
};

/** The list of the items without a status. */
export const noStatus = (project: { id: string }) => [project.id, "none"].join("/");

/** The columns of a project: those of its first board view, else those of its status field. */
export function columnsOf({ id, fields, views }: ProjectHead): Columns {
  const choices = (fields?.nodes ?? []).filter((field) => (field?.options ?? null) !== null);
  const board = views?.nodes?.find((view) => view?.layout === "BOARD_LAYOUT");
  const grouped = board?.verticalGroupByFields?.nodes?.[0]?.id;
  const field =
    choices.find((choice) => choice?.id === grouped) ??
    choices.find((choice) => /^status$/i.test(choice?.name ?? ""));
  const options = field?.options ?? [];
  const lists = options.map((option) => ({ id: `${id}/${option.id}`, name: option.name }));
  return { fieldId: field?.id ?? null, lists };
}

/** The source id of the list of an item. */
export function listOf(
  project: ProjectHead,
  { fieldId, lists }: Columns,
  item: ProjectItem,
): string {
  const value = item.fieldValues?.nodes?.find(
    (fieldValue) => fieldValue?.optionId && fieldValue.field?.id === fieldId,
  );
  const id = `${project.id}/${value?.optionId}`;
  return lists.some((list) => list.id === id) ? id : noStatus(project);
}

/** The reason for what GitHub names and does not return. */
export const notReturned = "GitHub did not return it in a form that this service knows.";

type Connection = { totalCount: number; nodes?: unknown[] | null | undefined };

/** How many nodes of a connection GitHub did not return. */
export const missingOf = (of: Connection | null | undefined) =>
  Math.max(0, (of?.totalCount ?? 0) - (of?.nodes ?? []).filter((node) => node !== null).length);

/** Converts a project. Its labels are those of its items. */
export function mapProject({ head, columns, lists, labels }: ReadProject, skip: Skip): SourceBoard {
  const { id: sourceId, title } = head;
  const name = limitedName("board", { id: sourceId, name: title }, 255, "Untitled project", skip);
  const partly = (reason: string) =>
    skip({ kind: "board", sourceId, name, severity: "partial", reason });
  const description = [textOf(head.shortDescription), textOf(head.readme)]
    .filter(Boolean)
    .join("\n\n");
  const closedAt = momentOf(head.closedAt);
  if (head.closed && closedAt === null) partly(noTime("archived"));
  const count = missingOf(head.fields);
  if (count > 0) skip({ kind: "field", count, reason: notReturned });
  const hasLoose = lists.get(noStatus(head))?.length !== 0;
  const loose = hasLoose ? [{ id: noStatus(head), name: "No status" }] : [];
  return {
    publicId: sourceId,
    name,
    description: limitedText("description of the board", description, 10_000, partly),
    archivedAt: head.closed ? (closedAt ?? "now") : null,
    ...timesOf(momentOf(head.createdAt)),
    lists: [...loose, ...columns.lists].map((list) => sourceList(list, skip)),
    labels: [...labels.values()],
    fields: mapCustomFields(head, columns, skip),
  };
}

/** The labels of an item. Labels with the same name are one, across repositories. */
export function labelsOf({ id }: ProjectHead, item: ProjectItem): SourceLabel[] {
  const labels = new Map<string, SourceLabel>();
  for (const label of item.content?.labels?.nodes ?? []) {
    const name = nameOf(label?.name);
    const publicId = `${id}/label/${name?.toLowerCase()}`;
    if (name === null || labels.has(publicId)) continue;
    const colourCode = /^[0-9a-f]{6}$/i.test(label?.color ?? "") ? `#${label?.color}` : null;
    labels.set(publicId, { publicId, name: shortened(name, 36).trim(), colourCode });
  }
  return [...labels.values()];
}
