import { newOnBoards } from "../card-shapes.ts";
import { timeOf } from "./fields.ts";
import type { Kind, Row } from "./rows.ts";
import type {
  BoardView,
  CardDetail,
  CardView,
  Comment,
  Editable,
  Entry,
  FieldView,
  LabelView,
  ListView,
  LiveData,
} from "./types.ts";

type Checklist = CardDetail["checklists"][number];

/** The user whose changes are shown. */
export type Caller = { name: string; image: string | null };

/** The fields that a change of a card can set, as a new card has them. */
const newFields: Pick<CardView, Editable> = {
  title: "",
  dueDate: null,
  startDate: null,
  isComplete: false,
  priority: "none",
};

/** The names of the fields of a card that boards show, and that a change of the card can set. */
export const editable = Object.keys(newFields) as Editable[];

/** A card as it shows before the service has answered. */
export const newCard = (publicId: string): CardView => ({
  ...newFields,
  ...newOnBoards,
  publicId,
  isStartAllDay: false,
  isDueAllDay: false,
  cardNumber: "",
  isArchived: false,
  version: 0,
  index: 0,
  claim: null,
  labels: [],
  members: [],
  commentCount: 0,
  attachmentCount: 0,
  fields: {},
});

const newItem = (publicId: string, title: string): Checklist["items"][number] => ({
  publicId,
  title,
  isComplete: false,
  completed: false,
  memberPublicId: null,
  dueDate: null,
  isDueAllDay: false,
  version: 0,
});

type MadeAt = { publicId: string; createdAt: string; updatedAt: string };

const newBoard = (made: MadeAt): BoardView => ({
  ...made,
  name: "",
  description: null,
  slug: "",
  type: "regular",
  visibility: "private",
  openWorkMode: "off",
  workspacePublicId: "",
  isArchived: false,
  version: 0,
  lists: [],
  labels: [],
  fields: [],
});

const newList = (made: MadeAt): ListView => ({
  ...made,
  name: "",
  wipLimit: null,
  wipMode: "warn",
  isArchived: false,
  version: 0,
  cardCount: 0,
  cardsOverLimit: 0,
  cards: [],
});

const newLabel = (publicId: string): LabelView => ({ publicId, name: "", colourCode: null });

const newField = (publicId: string): FieldView => ({
  publicId,
  name: "",
  type: "text",
  unit: null,
  isShownOnCard: false,
  // The service makes the ids of the options.
  options: [],
});

function newChecklist(publicId: string, titles: string[]): Checklist {
  const items = titles.map((title, nth) => newItem(`${publicId}.${nth}`, title));
  return { publicId, name: "", version: 0, itemCount: items.length, items };
}

const newComment = (made: MadeAt, user: Caller | undefined): Comment => ({
  ...made,
  comment: "",
  // The user as a member is not known before the service has answered.
  author: user === undefined ? null : { publicId: "", name: user.name, image: user.image },
  authorName: user?.name ?? "",
  importedAuthor: null,
  isEdited: false,
  version: 0,
});

const newView = (made: MadeAt): LiveData["views"][number] => ({
  ...made,
  name: "",
  scope: "private",
  layout: "board",
  boardPublicId: null,
  boards: null,
  filter: null,
  sortBy: [],
  groupBy: null,
  version: 0,
  workspacePublicId: "",
  createdBy: null,
  isBroken: false,
  broken: [],
});

/** What a change creates, without the fields of its input. */
export function createdRow(kind: Kind, change: Entry, user: Caller | undefined): Row | undefined {
  const { publicId, input } = change;
  const createdAt = timeOf(change);
  const made = { publicId, createdAt, updatedAt: createdAt };
  switch (kind) {
    case "board":
      return newBoard(made);
    case "list":
      return newList(made);
    case "card":
      return newCard(publicId);
    case "label":
      return newLabel(publicId);
    case "field":
      return newField(publicId);
    case "checklist":
      return newChecklist(publicId, (input["items"] ?? []) as string[]);
    case "checklistItem":
      return newItem(publicId, "");
    case "comment":
      return newComment(made, user);
    case "view":
      return newView(made);
    default:
      return undefined;
  }
}
