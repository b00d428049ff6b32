import { z } from "zod";
import {
  anyList as list,
  anyName as name,
  anyValue,
  flag,
  maybeId,
  memoryText as text,
  position,
  SourceId as id,
} from "../shapes.ts";

/** A count; 0 for a number that cannot be one. */
const count = z.int().min(0).max(1_000_000).catch(0);
export const TrelloBoardShape = z.object({
  id,
  name,
  desc: text(100_000),
  closed: flag,
  dateClosed: name,
  /** The names of the colours, where a board has no list of labels. */
  labelNames: z.unknown().optional(),
  prefs: z.object({ isTemplate: flag }).catch({ isTemplate: false }),
});

export const TrelloList = z.object({
  id,
  name,
  closed: flag,
  pos: position,
  softLimit: z.number().nullish().catch(Number.NaN),
  color: name,
  dateClosed: anyValue,
  cards: list,
});

export const TrelloLabel = z.object({ id, name, color: name });

export const TrelloMember = z.object({ id, fullName: name, username: name });

export const TrelloOption = z.object({
  id,
  value: z.object({ text: name }).catch({ text: null }),
  color: name,
  pos: position,
});

export const TrelloCustomField = z.object({
  id,
  name,
  type: z.enum(["text", "number", "date", "checkbox", "list"]),
  pos: position,
  display: z.object({ cardFront: flag }).catch({ cardFront: false }),
  options: list,
});

/** The value of a custom field on a card; of a list, `idValue` is the option. */
export const TrelloFieldItem = z.object({
  id: maybeId,
  idCustomField: id,
  idValue: maybeId,
  value: z.record(z.string(), z.unknown()).nullish().catch(null),
});

const Badges = z
  .object({ attachments: count, comments: count, votes: count, dueComplete: flag })
  .catch({ attachments: 0, comments: 0, votes: 0, dueComplete: false });

export const TrelloCard = z.object({
  id,
  idList: maybeId,
  pos: position,
  name: anyValue,
  desc: anyValue,
  closed: flag,
  due: anyValue,
  dueComplete: anyValue,
  dateCompleted: anyValue,
  dateClosed: anyValue,
  dateLastActivity: anyValue,
  dueReminder: anyValue,
  isTemplate: flag,
  mirrorSourceId: anyValue,
  start: anyValue,
  idLabels: list,
  labels: list,
  idMembers: list,
  members: list,
  idChecklists: list,
  checklists: list,
  checkItemStates: list,
  actions: list,
  attachments: list,
  shortLink: anyValue,
  badges: Badges,
  cover: anyValue,
  idAttachmentCover: anyValue,
  stickers: list,
  idMembersVoted: list,
  customFieldItems: list,
  pluginData: list,
  locationName: anyValue,
  address: anyValue,
});

export const TrelloAttachment = z.object({
  id: maybeId,
  name: anyValue,
  fileName: anyValue,
  url: anyValue,
  date: anyValue,
  isUpload: flag,
});

export const TrelloChecklist = z.object({
  id,
  idCard: maybeId,
  name: anyValue,
  pos: position,
  checkItems: list,
});

export const TrelloItem = z.object({
  id: maybeId,
  name: anyValue,
  state: anyValue,
  dateCompleted: anyValue,
  pos: position,
  due: anyValue,
  dueReminder: anyValue,
  idMember: maybeId,
});

/** The state of an item, which old exports have on its card. */
export const TrelloItemState = z.object({ idCheckItem: id, state: anyValue });

export const TrelloComment = z.object({
  id,
  date: anyValue,
  data: z.object({ text: anyValue, card: z.object({ id }) }),
  idMemberCreator: maybeId,
  memberCreator: anyValue,
});

const Reference = id.or(z.object({ id }).transform((resource) => resource.id));

/** The ids in lists, plain or in objects, each once. */
export const idsOf = (...lists: unknown[][]) => [
  ...new Set(lists.flat().flatMap((value) => Reference.safeParse(value).data ?? [])),
];

export type TrelloBoard = z.infer<typeof TrelloBoardShape>;
export type TrelloCard = z.infer<typeof TrelloCard>;
export type TrelloChecklist = z.infer<typeof TrelloChecklist>;
export type TrelloComment = z.infer<typeof TrelloComment>;
export type TrelloCustomField = Omit<z.infer<typeof TrelloCustomField>, "options"> & {
  options: z.infer<typeof TrelloOption>[];
};
export type TrelloList = z.infer<typeof TrelloList>;
export type TrelloLabel = z.infer<typeof TrelloLabel>;
export type TrelloMember = z.infer<typeof TrelloMember>;
