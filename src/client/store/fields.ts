import { byName } from "./tree.ts";
import type { BoardView, Entry, LabelView, MemberView } from "./types.ts";

/** A change that is not confirmed yet; `isSeen` when one of its events has been applied. */
export type Pending = Entry & {
  state: "waiting" | "sending" | "sent";
  isSeen: boolean;
  /** The order of the log that has all its events. */
  until?: string;
};

/** The fields of inputs that boards show. */
type Fields = Partial<{
  title: string;
  name: string;
  description: string | null;
  dueDate: string | null;
  startDate: string | null;
  isComplete: boolean;
  isArchived: boolean;
  wipLimit: number | null;
  colourCode: string;
  listPublicId: string;
  index: number;
  beforeCardPublicId: string;
  afterCardPublicId: string;
  beforeListPublicId: string;
  afterListPublicId: string;
  labelPublicIds: string[];
  addLabelPublicIds: string[];
  removeLabelPublicIds: string[];
  memberPublicIds: string[];
  addMemberPublicIds: string[];
  removeMemberPublicIds: string[];
  completed: boolean;
  items: string[];
}>;

/** The fields of the input of a change. */
export const fieldsOf = ({ input }: Entry): Fields => input;

/** The index that a placement names among items; at the end without one. */
export function indexIn(items: { publicId: string }[], fields: Fields): number {
  const before = fields.beforeCardPublicId ?? fields.beforeListPublicId;
  const after = fields.afterCardPublicId ?? fields.afterListPublicId;
  const at = items.findIndex(({ publicId }) => publicId === (before ?? after));
  if (at >= 0) return before === undefined ? at + 1 : at;
  return Math.min(fields.index ?? items.length, items.length);
}

/** Whether fields name a placement. */
export const hasPlacement = ({ index, ...fields }: Fields) =>
  (index ??
    fields.beforeCardPublicId ??
    fields.afterCardPublicId ??
    fields.beforeListPublicId ??
    fields.afterListPublicId) !== undefined;

/** The ids of a set after a change of it. */
function setOf(current: string[], set?: string[], add: string[] = [], remove: string[] = []) {
  return [...new Set([...(set ?? current), ...add])].filter((id) => !remove.includes(id));
}

/** The items with these ids, of those that are known, sorted. */
function pick<Item extends { publicId: string; name: string }>(
  ids: string[],
  shown: Item[],
  others: readonly Item[],
): Item[] {
  const known = new Map([...others, ...shown].map((item) => [item.publicId, item]));
  return ids.flatMap((id) => known.get(id) ?? []).toSorted(byName);
}

/** The labels and members of a card after a change. */
export function relationsOf(
  { labels, members }: { labels: LabelView[]; members: MemberView[] },
  change: Entry,
  board: BoardView | undefined,
): { labels: LabelView[]; members: MemberView[] } {
  const fields = fieldsOf(change);
  const ids = (items: { publicId: string }[]) => items.map(({ publicId }) => publicId);
  const isLabelled =
    fields.labelPublicIds ?? fields.addLabelPublicIds ?? fields.removeLabelPublicIds;
  const isStaffed =
    fields.memberPublicIds ?? fields.addMemberPublicIds ?? fields.removeMemberPublicIds;
  const labelIds = () =>
    setOf(
      ids(labels),
      fields.labelPublicIds,
      fields.addLabelPublicIds,
      fields.removeLabelPublicIds,
    );
  const memberIds = () =>
    setOf(
      ids(members),
      fields.memberPublicIds,
      fields.addMemberPublicIds,
      fields.removeMemberPublicIds,
    );
  return {
    labels: isLabelled === undefined ? labels : pick(labelIds(), labels, board?.labels ?? []),
    members: isStaffed === undefined ? members : pick(memberIds(), members, change.members ?? []),
  };
}

/** The given fields that are not undefined. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };
