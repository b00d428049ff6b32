import { z } from "zod";
import { textOf } from "../read/text.ts";

// The shapes accept any type for most fields: the mapping reports what it cannot use.

/** An id without characters that the database rejects. */
export const TrelloId = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((text) => textOf(text) === text);
const id = TrelloId;
const maybeId = id.nullable().catch(null);
const anyValue = z.unknown().optional();
const list = z.array(z.unknown()).catch([]);
const flag = z.boolean().catch(false);
/** More than that is no count of anyValue. */
const count = z.int().min(0).max(1_000_000).catch(0);
/** Positions at Trello are numbers of any size; without one a resource comes last. */
const position = z.number().catch(Number.MAX_VALUE);

export const TrelloBoardShape = z.object({
  id,
  name: anyValue,
  desc: anyValue,
  closed: flag,
  dateClosed: anyValue,
});

export const TrelloList = z.object({
  id,
  name: anyValue,
  closed: flag,
  pos: position,
  softLimit: anyValue,
  color: anyValue,
});

export const TrelloLabel = z.object({ id, name: anyValue, color: anyValue });

export const TrelloMember = z.object({ id, fullName: anyValue, username: anyValue });

export const TrelloCustomField = z.object({
  id,
  name: anyValue,
  options: z.array(z.object({ id, value: z.object({ text: anyValue }) })).catch([]),
});

const Badges = z
  .object({ comments: count, votes: count, dueComplete: flag })
  .catch({ comments: 0, votes: 0, dueComplete: false });

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
  dueReminder: anyValue,
  isTemplate: flag,
  mirrorSourceId: anyValue,
  start: anyValue,
  idLabels: list,
  labels: list,
  idMembers: list,
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
  pos: position,
  due: anyValue,
  dueReminder: anyValue,
  idMember: maybeId,
});

export const TrelloComment = z.object({
  id,
  date: anyValue,
  data: z.object({ text: anyValue, card: z.object({ id }) }),
  idMemberCreator: maybeId,
  memberCreator: anyValue,
});

export type TrelloBoard = z.infer<typeof TrelloBoardShape>;
export type Card = z.infer<typeof TrelloCard>;
export type Checklist = z.infer<typeof TrelloChecklist>;
export type Comment = z.infer<typeof TrelloComment>;
export type Label = z.infer<typeof TrelloLabel>;
export type Member = z.infer<typeof TrelloMember>;
