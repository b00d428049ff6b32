import { z } from "zod";
import { textOf } from "../clean.ts";

/** What is taken from Trello's things. Whatever is missing or of another type than Trello writes is nothing, and said so where it matters. */

/** An id; none has a character that our database cannot hold. */
export const TrelloId = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((text) => textOf(text) === text);
const id = TrelloId;
const maybeId = id.nullable().catch(null);
const anything = z.unknown().optional();
const list = z.array(z.unknown()).catch([]);
const flag = z.boolean().catch(false);
/** More than that is no count of anything. */
const count = z.int().min(0).max(1_000_000).catch(0);
/** Trello counts places in numbers of any size; what has none comes last. */
const place = z.number().catch(Number.MAX_VALUE);

export const TrelloBoardShape = z.object({ id, name: anything, desc: anything, closed: flag });

export const TrelloList = z.object({ id, name: anything, closed: flag, pos: place });

export const TrelloLabel = z.object({ id, name: anything, color: anything });

export const TrelloMember = z.object({
  id,
  fullName: anything,
  username: anything,
  email: anything,
});

export const TrelloCustomField = z.object({
  id,
  name: anything,
  options: z.array(z.object({ id, value: z.object({ text: anything }) })).catch([]),
});

const Badges = z
  .object({ comments: count, votes: count, dueComplete: flag })
  .catch({ comments: 0, votes: 0, dueComplete: false });

export const TrelloCard = z.object({
  id,
  idList: maybeId,
  pos: place,
  name: anything,
  desc: anything,
  closed: flag,
  due: anything,
  dueComplete: anything,
  start: anything,
  idLabels: list,
  labels: list,
  idMembers: list,
  attachments: list,
  shortLink: anything,
  badges: Badges,
  cover: anything,
  idAttachmentCover: anything,
  stickers: list,
  idMembersVoted: list,
  customFieldItems: list,
  pluginData: list,
  locationName: anything,
  address: anything,
});

export const TrelloAttachment = z.object({
  id: maybeId,
  name: anything,
  fileName: anything,
  url: anything,
  date: anything,
  isUpload: flag,
});

export const TrelloChecklist = z.object({
  id,
  idCard: maybeId,
  name: anything,
  pos: place,
  checkItems: list,
});

export const TrelloItem = z.object({
  id: maybeId,
  name: anything,
  state: anything,
  pos: place,
  due: anything,
  idMember: maybeId,
});

export const TrelloComment = z.object({
  id,
  date: anything,
  data: z.object({ text: anything, card: z.object({ id }) }),
  idMemberCreator: maybeId,
  memberCreator: anything,
});

/** What a card is known as before it is read again. */
export type Card = z.infer<typeof TrelloCard>;
export type Checklist = z.infer<typeof TrelloChecklist>;
export type Comment = z.infer<typeof TrelloComment>;
export type Member = z.infer<typeof TrelloMember>;
