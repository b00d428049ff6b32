import type { Inputs } from "../router.ts";
import { byName, inOrder } from "./rows.ts";
import type {
  BoardView,
  CardView,
  Editable,
  Entry,
  FieldView,
  LabelView,
  ListView,
  MemberView,
} from "./types.ts";

/** A change that is not confirmed yet. */
export type Pending = Entry & {
  state: "waiting" | "sending" | "sent";
  /** Whether one of its events has been applied. */
  isSeen: boolean;
  /** Whether this tab has made it, since it was loaded. */
  isOwn: boolean;
  /** The order of the log that has all its events. */
  until?: string;
};

/** Values of custom fields, by their ids; null clears one. */
export type FieldInputs = NonNullable<Inputs["card"]["update"]["fields"]>;

/** The fields of inputs that boards show. */
type Fields = Partial<{
  name: string;
  description: string | null;
  isArchived: boolean;
  wipLimit: number | null;
  wipMode: ListView["wipMode"];
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
  fields: FieldInputs;
}> &
  Partial<Pick<CardView, Editable>>;

/** The fields of the input of a change. */
export const fieldsOf = ({ input }: Entry): Fields => input;

/** When a change was made: its order begins with the time. */
export const timeOf = ({ seq }: Entry): string => new Date(parseInt(seq, 36) / 1000).toISOString();

const before = (fields: Fields) => fields.beforeCardPublicId ?? fields.beforeListPublicId;
const after = (fields: Fields) => fields.afterCardPublicId ?? fields.afterListPublicId;

/** The index that a placement names among items; at the end without one. */
export function indexIn(items: { publicId: string }[], fields: Fields): number {
  const anchor = before(fields) ?? after(fields);
  const at = items.findIndex(({ publicId }) => publicId === anchor);
  if (at >= 0) return before(fields) === undefined ? at + 1 : at;
  return Math.min(fields.index ?? items.length, items.length);
}

/** Whether fields name a placement. */
export const hasPlacement = (fields: Fields) =>
  (fields.index ?? before(fields) ?? after(fields)) !== undefined;

/** The labels or members of a card after a change, sorted; unknown ones are left out. */
function changedSet<Item extends { publicId: string; name: string }>(
  items: Item[],
  candidates: readonly Item[] | undefined,
  [set, add, remove]: (string[] | undefined)[],
): Item[] {
  if ((set ?? add ?? remove) === undefined) return items;
  const itemsById = new Map([...(candidates ?? []), ...items].map((item) => [item.publicId, item]));
  const ids = new Set([...(set ?? items.map(({ publicId }) => publicId)), ...(add ?? [])]);
  return [...ids]
    .flatMap((id) => (remove?.includes(id) ? [] : (itemsById.get(id) ?? [])))
    .toSorted(byName);
}

/** The labels and members of a card after a change. */
export function setsOf(
  { labels, members }: { labels: LabelView[]; members: MemberView[] },
  change: Entry,
  board: BoardView | undefined,
): { labels: LabelView[]; members: MemberView[] } {
  const fields = fieldsOf(change);
  return {
    labels: changedSet(labels, board?.labels, [
      fields.labelPublicIds,
      fields.addLabelPublicIds,
      fields.removeLabelPublicIds,
    ]),
    members: changedSet(members, change.members, [
      fields.memberPublicIds,
      fields.addMemberPublicIds,
      fields.removeMemberPublicIds,
    ]),
  };
}

/** The values of a card's custom fields after a change, of the fields that are shown. */
export function valuesOf(
  values: CardView["fields"],
  change: Entry,
  fields: readonly FieldView[],
): CardView["fields"] {
  const { fields: set = {} } = fieldsOf(change);
  const changedFields = fields.filter(({ publicId }) => set[publicId] !== undefined);
  if (changedFields.length === 0) return values;
  const next = { ...values };
  for (const { publicId, options } of changedFields) {
    const value = set[publicId];
    delete next[publicId];
    if (value === null || value === undefined || value === "") continue;
    if (!Array.isArray(value)) next[publicId] = value;
    else if (value.length > 0) next[publicId] = inOrder(options, value);
  }
  return next;
}

/** The given fields that are not undefined. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };
