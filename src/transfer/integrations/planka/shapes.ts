import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import {
  anyName as name,
  anyValue,
  flag,
  maybeId,
  memoryText,
  position,
  SourceId as id,
} from "../shapes.ts";

/** Planka 1 has tasks on its cards, and comments among their actions; Planka 2 has lists of tasks. */
const rows = <Row extends z.ZodType>(row: Row) => z.array(row).default([]);

const List = z.object({
  id,
  name,
  /** Planka 2 has `active`, `closed`, `archive` and `trash`. */
  type: z.enum(["active", "closed", "archive", "trash"]).catch("active"),
  position: z.number().nullish().catch(null),
  color: name,
});

const Label = z.object({ id, name, color: name, position });

const PlankaCard = z.object({
  id,
  listId: id,
  prevListId: maybeId,
  /** Since Planka 2, a card is a `project` or a `story`. */
  type: anyValue,
  position: z.number().nullish().catch(null),
  name: anyValue,
  description: anyValue,
  dueDate: anyValue,
  isDueCompleted: anyValue,
  isDueDateCompleted: anyValue,
  isClosed: flag,
  stopwatch: anyValue,
  coverAttachmentId: maybeId,
  commentsTotal: z.int().min(0).optional().catch(undefined),
  listChangedAt: anyValue,
  createdAt: anyValue,
  updatedAt: anyValue,
});

const TaskList = z.object({ id, cardId: id, name: anyValue, position });

const Task = z.object({
  id,
  taskListId: maybeId,
  cardId: maybeId,
  name: anyValue,
  isCompleted: flag,
  assigneeUserId: maybeId,
  position,
  createdAt: anyValue,
});

const Attachment = z.object({
  id,
  cardId: id,
  /** Planka 1 has files only. */
  type: z.enum(["file", "link"]).catch("file"),
  name: anyValue,
  url: anyValue,
  data: z.object({ url: anyValue }).nullish().catch(null),
  createdAt: anyValue,
});

const Option = z.object({ id, name, color: name });

/** A custom field: of a group, or of a base group, which the groups of several boards share. */
const CustomField = z.object({
  id,
  baseCustomFieldGroupId: maybeId,
  customFieldGroupId: maybeId,
  name,
  position,
  showOnFrontOfCard: flag,
  /** Until Planka 2.1, all are texts. */
  type: z.enum(["text", "number", "date", "checkbox", "dropdown"]).catch("text"),
  config: z.object({ options: z.array(Option).catch([]) }).catch({ options: [] }),
});
export type PlankaField = z.infer<typeof CustomField>;

/** A group of custom fields, of a board or of one card. */
const FieldGroup = z.object({
  id,
  baseCustomFieldGroupId: maybeId,
  cardId: maybeId,
  name,
  position,
});
export type PlankaFieldGroup = z.infer<typeof FieldGroup>;

const CustomFieldValue = z.object({
  cardId: id,
  customFieldGroupId: maybeId,
  customFieldId: id,
  content: anyValue,
});

/** Many users stay in memory: their names are shorter than others. */
const userName = memoryText(1_000);
const User = z.object({ id, name: userName, username: userName });
export type PlankaUser = z.infer<typeof User>;

/** What comes with cards. */
const included = {
  users: rows(User),
  cardMemberships: rows(z.object({ cardId: id, userId: id })),
  cardLabels: rows(z.object({ cardId: id, labelId: id })),
  taskLists: z.array(TaskList).optional(),
  tasks: rows(Task),
  attachments: rows(Attachment),
  customFieldGroups: rows(FieldGroup),
  customFields: rows(CustomField),
  customFieldValues: rows(CustomFieldValue),
};

export const BoardResponse = z.object({
  item: z.object({ id, name, createdAt: anyValue }),
  included: z.object({
    ...included,
    boardMemberships: rows(z.object({ id, userId: id, role: anyValue })),
    projects: rows(z.object({ id, name, description: memoryText(100_000).optional() })),
    lists: rows(List),
    labels: rows(Label),
    cards: rows(PlankaCard),
  }),
});

/** What the boards of a project share. */
export const ProjectResponse = z.object({
  included: z.object({
    baseCustomFieldGroups: rows(z.object({ id, name })),
    customFields: rows(CustomField),
  }),
});
export type PlankaShared = z.infer<typeof ProjectResponse>["included"];

/** A page of the cards in an archive. */
export const CardsResponse = z.object({ items: z.array(PlankaCard), included: z.object(included) });

const Comment = z.object({
  id,
  /** An action of Planka 1. */
  type: z.string().optional(),
  text: anyValue,
  data: z.object({ text: anyValue }).nullish().catch(null),
  userId: maybeId,
  createdAt: anyValue,
  updatedAt: anyValue,
});

export const CommentsResponse = z.object({
  items: z.array(Comment),
  included: z.object({ users: rows(User) }).default({ users: [] }),
});

export const ProjectsResponse = z.object({
  items: z.array(z.object({ id, name, isFavorite: flag })),
  included: z.object({ boards: rows(z.object({ id, projectId: id, position })) }),
});

export const TokenResponse = z.object({ item: z.string().min(1).max(10_000) });

/** Whether the credentials are accepted; the answer itself is not needed. */
export const AccessResponse = z.object({ items: z.array(z.unknown()) }).transform(() => true);

declareResponses(import.meta.url, {
  BoardResponse,
  ProjectResponse,
  CardsResponse,
  CommentsResponse,
  ProjectsResponse,
  TokenResponse,
  AccessResponse,
});

/** A card with everything on it, as it is staged. */
export const WholeCard = z.object({
  card: PlankaCard,
  labelIds: z.array(id),
  userIds: z.array(id),
  taskLists: z.array(TaskList.extend({ tasks: z.array(Task) })),
  attachments: z.array(Attachment),
  comments: z.array(Comment),
  fields: z.array(CustomFieldValue),
});
export type WholeCard = z.infer<typeof WholeCard>;

export type PlankaBoard = z.infer<typeof BoardResponse>;
export type PlankaList = z.infer<typeof List>;
export type PlankaLabel = z.infer<typeof Label>;
export type PlankaAttachment = z.infer<typeof Attachment>;
export type PlankaComment = z.infer<typeof Comment>;
export type Included = Pick<PlankaBoard["included"], keyof typeof included>;
