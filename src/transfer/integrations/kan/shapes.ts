import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { anyName as name, anyValue, flag, maybeId, position, SourceId as id } from "../shapes.ts";
import { markdownOf } from "./markdown.ts";

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).default([]);

export const WorkspacesResponse = z.array(z.object({ workspace: z.object({ publicId: id }) }));
export const BoardsResponse = z.array(z.object({ publicId: id }));

const Label = z.object({ publicId: id, name, colourCode: name });

const User = z
  .object({ id: maybeId.optional(), name, email: name.optional() })
  .nullish()
  .catch(null);

const Member = z.object({ publicId: id, email: name.optional(), user: User });

const Checklist = z.object({
  publicId: id,
  name: anyValue,
  index: position,
  items: rows(z.object({ publicId: id, title: anyValue, completed: flag, index: position })),
});

/** A text of Kan's editor, which is converted where the answer is read. */
const editorText = anyValue.transform(markdownOf);

const Card = z.object({
  publicId: id,
  title: anyValue,
  description: editorText,
  index: position,
  dueDate: anyValue,
  updatedAt: anyValue,
  labels: rows(Label),
  members: rows(Member),
  checklists: rows(Checklist),
  attachments: rows(z.object({ publicId: id })),
  /** Kan shows whether there are any. */
  comments: rows(z.object({ publicId: id })),
});

export const KanBoard = z.object({
  publicId: id,
  name,
  slug: z
    .string()
    .regex(/^[a-zA-Z0-9-]{3,60}$/)
    .optional()
    .catch(undefined),
  visibility: anyValue,
  isArchived: flag,
  workspace: z.object({ members: rows(Member) }).default({ members: [] }),
  labels: rows(Label),
  lists: rows(z.object({ publicId: id, name, index: position, cards: rows(Card) })),
});

const Attachment = z.object({
  publicId: id,
  originalFilename: anyValue,
  filename: anyValue,
  contentType: anyValue,
  url: anyValue,
});

const Comment = z.object({
  publicId: id,
  comment: editorText,
  createdBy: maybeId,
  updatedAt: anyValue,
  deletedAt: anyValue,
});

const Activity = z.object({
  type: z.string().catch(""),
  createdAt: anyValue,
  user: User,
  comment: Comment.nullish().catch(null),
});

/** What only the answer about one card has. */
export const CardDetail = z.object({ attachments: rows(Attachment), activities: rows(Activity) });

export const AccessResponse = z.array(z.unknown()).transform(() => true);

declareResponses(import.meta.url, {
  WorkspacesResponse,
  BoardsResponse,
  KanBoard,
  CardDetail,
  AccessResponse,
});

/** A card with everything on it, as it is staged: its texts are Markdown already. */
const StagedActivity = Activity.extend({
  comment: Comment.extend({ comment: anyValue }).nullish().catch(null),
});
export const WholeCard = z.object({
  card: Card.extend({ description: anyValue }),
  listId: id,
  detail: CardDetail.extend({ activities: rows(StagedActivity) }),
});
export type WholeCard = z.infer<typeof WholeCard>;
export type KanBoard = z.infer<typeof KanBoard>;
export type KanMember = z.infer<typeof Member>;
export type KanActivity = z.infer<typeof StagedActivity>;
