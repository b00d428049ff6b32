import { z } from "zod";
import { BoardId, Granted, NewIndex, PermissionText, Version } from "./fields/shared.ts";
import type { betweenCards } from "./vocabulary/between-cards.ts";
import { idOf } from "./vocabulary/ids.ts";
import { Attachment } from "./resources/attachments.ts";
import { BoardInfo, BoardRef } from "./resources/boards.ts";
import { CardState, CardSummary } from "./resources/cards.ts";
import { ChecklistInfo, ChecklistItem } from "./resources/checklists.ts";
import { Comment } from "./resources/comments.ts";
import { CustomFieldEvent, DroppedField } from "./resources/custom-fields.ts";
import { Import } from "./resources/imports.ts";
import { Label } from "./resources/labels.ts";
import { ListInfo, ListRef } from "./resources/lists.ts";
import { Member, MemberRef } from "./resources/members.ts";
import { RelationEvent, RelationTarget } from "./resources/relations.ts";
import { Role } from "./resources/roles.ts";
import { ViewInfo } from "./resources/views.ts";
import { WebhookInfo } from "./resources/webhooks.ts";
import { WorkspaceInfo } from "./resources/workspaces.ts";
import { viewedWith } from "./vocabulary/view-permissions.ts";

type BetweenCards = (typeof betweenCards)[number];
type Spec = { data: z.ZodObject; about: string; isActivity: boolean };

const event = <Shape extends z.ZodRawShape>(about: string, data: Shape) => ({
  about,
  data: z.object(data),
  isActivity: false,
});
const activity = <Shape extends z.ZodRawShape>(about: string, data: Shape) => ({
  ...event(about, data),
  isActivity: true,
});

/** Events that are about two cards: exactly those that are declared as such. */
const declareBetweenCards = <Events extends Record<BetweenCards, Spec>>(events: Events) => events;

const onCard = { card: CardState, list: ListRef, board: BoardRef };
const underCard = { ...onCard, card: CardSummary };
const underChecklist = {
  checklistItem: ChecklistItem,
  checklist: viewedWith(
    "card:view",
    ChecklistInfo.omit({ version: true }).meta({ description: "The checklist." }),
  ),
  ...underCard,
};
const MemberEvent = viewedWith("member:view", Member.omit({ email: true }));
const ofMember = { member: MemberEvent.meta({ description: "The member." }) };
/** Readers without member:view get the id alone: cards show them names of assignees. */
const changedMember = { memberPublicId: idOf("member"), ...ofMember };
const LabelEvent = viewedWith("board:view", Label.extend({ version: Version }));
const onRelation = { relation: RelationEvent, ...onCard, to: RelationTarget };
const labelOnBoard = { label: LabelEvent.meta({ description: "The label." }), board: BoardRef };
/** The list and board of a card. */
const CardPosition = z.object({ listPublicId: idOf("list"), boardPublicId: idOf("board") });
const CardTarget = CardPosition.extend({ index: NewIndex });
const cardWithMember = { ...onCard, member: MemberRef };
const cardWithTarget = {
  ...onCard,
  to: CardPosition.extend({
    index: z
      .int()
      .nullable()
      .meta({ description: "Zero-based position.", examples: [2] }),
  }).meta({ description: "Where it is after the change." }),
};
/** Where the part of a card has moved to. Without it the part stays where it is. */
const movedTo = {
  to: z
    .object({ index: NewIndex })
    .meta({ description: "Where it is after the change." })
    .optional(),
};
const from = { description: "Where it was before the change." };
const to = { description: "Where it is after the change." };
/** The card of a checklist that moves, and its place there. */
const ChecklistSpot = z.object({
  cardPublicId: idOf("card"),
  boardPublicId: idOf("board"),
  index: NewIndex,
});
const ChecklistWithItems = viewedWith(
  "card:view",
  ChecklistInfo.extend({
    items: z.array(ChecklistItem).meta({ description: "The items, in order." }),
  }).meta({ description: "The checklist." }),
);
/** The checklist of an item that moves, and its place there. */
const ItemSpot = z.object({ checklistPublicId: idOf("checklist"), index: NewIndex });
const onBoard = { list: ListInfo, board: BoardRef };
const toIndex = z.object({ index: NewIndex });
/** The place of a list; `boardPublicId` if it moves to another board. */
const ListSpot = toIndex.extend({ boardPublicId: idOf("board").optional() });
const fieldOnBoard = { field: CustomFieldEvent, board: BoardRef };
const placed = { to: toIndex.meta({ description: "Where it is after the change." }) };
const viewOnBoard = {
  view: ViewInfo.meta({ description: "The view." }),
  board: BoardRef.optional(),
};
const clearedCards = viewedWith(
  "card:view",
  z.int().meta({
    description:
      "The number of cards that no longer show a value because of the change. 0 without " +
      "`card:view`.",
    examples: [12],
  }),
);
/** A list that appears with its cards. */
const listWithCards = {
  ...onBoard,
  ...placed,
  cards: z.array(CardSummary).meta({ description: "The cards, in order." }),
};

/**
 * A change of what members can see of a board.
 *
 * It is published to the log of the workspace. Feed and stream show it to the members that it
 * names, without the list of them. Webhooks do not receive it. A removed member has no feed of
 * the workspace: a stream of the user finds it by `memberPublicIds` and the user's members.
 */
const AccessChange = {
  boardPublicId: BoardId,
  memberPublicIds: z.array(z.string()).optional().meta({ description: "Not shown to readers." }),
};

/** All events: description, data, and (`isActivity`) whether the card's history shows them. */
export const catalog = {
  "workspace.created": event("A workspace was created", { workspace: WorkspaceInfo }),
  "workspace.updated": event("A workspace was changed", { workspace: WorkspaceInfo }),
  "workspace.deleted": event("A workspace was deleted", { workspace: WorkspaceInfo }),
  "workspace.restored": event("A workspace was restored", { workspace: WorkspaceInfo }),

  "member.joined": event("A member joined", changedMember),
  "member.invited": event("A member was invited", ofMember),
  "member.updated": event("A member changed their name or image", changedMember),
  "member.role_changed": event("A member's role was changed", ofMember),
  "member.removed": event("A member was removed or left", changedMember),
  "member.permissions_changed": event("A member's permissions were changed", {
    ...ofMember,
    permission: PermissionText,
    granted: Granted,
  }),
  "role.updated": event("A role was changed", { role: Role }),
  "role.created": event("A role was created", { role: Role }),
  "role.deleted": event("A role was deleted", { role: Role }),

  "webhook.created": event("A webhook was created", { webhook: WebhookInfo }),
  "webhook.updated": event("A webhook was changed", { webhook: WebhookInfo }),
  "webhook.deleted": event("A webhook was deleted", { webhook: WebhookInfo }),
  "webhook.secret_rotated": event("A webhook's secret was rotated", { webhook: WebhookInfo }),
  "webhook.disabled": event(
    "A webhook was disabled: its receiver responded 410 or failed for days",
    {
      webhook: WebhookInfo,
      reason: z.enum(["gone", "failing"]).meta({
        id: "WebhookDisableReason",
        description: "`gone`: the receiver responded 410. `failing`: all attempts failed for days.",
      }),
    },
  ),

  "board.created": event("A board was created", { board: BoardInfo }),
  "board.updated": event("A board was changed", { board: BoardInfo }),
  "board.archived": event("A board was archived", { board: BoardInfo }),
  "board.unarchived": event("A board was unarchived", { board: BoardInfo }),
  "board.deleted": event("A board was deleted", { board: BoardInfo }),
  "board.restored": event("A board was restored", { board: BoardInfo }),
  "board.moved": event("A board was moved to another workspace", {
    board: BoardInfo,
    from: z
      .object({ workspacePublicId: idOf("workspace") })
      .meta({ description: "Where it was before the change." }),
    to: z
      .object({ workspacePublicId: idOf("workspace") })
      .meta({ description: "Where it is after the change." }),
  }),
  "board.member_added": event("A member was added to a board", {
    board: BoardInfo,
    member: MemberRef,
  }),
  "board.member_removed": event("A member was removed from a board", {
    board: BoardInfo,
    member: MemberRef,
  }),

  "access.gained": event("Members gained access to a board, or to other parts of it", AccessChange),
  "access.lost": event("Members lost access to a board, or to parts of it", AccessChange),

  "list.created": event("A list was created", { ...onBoard, ...placed }),
  "list.updated": event("A list was changed", onBoard),
  "list.moved": event("A list was moved. To another board: an event of each of the two boards", {
    ...onBoard,
    from: ListSpot.meta(from),
    to: ListSpot.meta(to),
  }),
  "list.archived": event("A list was archived", onBoard),
  "list.unarchived": event("A list was unarchived", listWithCards),
  "list.deleted": event("A list and its cards were deleted", onBoard),
  "list.restored": event("A list and its cards were restored", listWithCards),
  "list.sorted": event("The cards of a list were sorted", {
    ...onBoard,
    by: z.string().meta({ description: "What to sort by.", examples: ["dueDate"] }),
    order: z.string().meta({ description: "The sort direction.", examples: ["asc"] }),
    cardPublicIds: viewedWith(
      "card:view",
      z
        .array(z.string())
        .meta({ examples: [["q8w2e5r7t1y4"]], description: "The cards in their new order." }),
    ),
  }),

  "card.created": activity("A card was created", cardWithTarget),
  "card.updated": activity("A card was changed", onCard),
  "card.moved": activity("A card was moved", {
    ...onCard,
    from: CardPosition.extend({
      index: z
        .int()
        .nullable()
        .meta({ description: "Zero-based position.", examples: [0] }),
    }).meta({ description: "Where it was before the change." }),
    to: CardTarget.meta({ description: "Where it is after the change." }),
    droppedFields: z
      .array(DroppedField)
      .meta({
        description: "The values that were lost: the new board has no such field or option.",
      })
      .optional(),
  }),
  "card.archived": activity("A card was archived", onCard),
  "card.unarchived": activity("A card was unarchived", cardWithTarget),
  "card.completed": activity("A card was completed", onCard),
  "card.deleted": activity("A card was deleted", onCard),
  "card.restored": activity("A card was restored", cardWithTarget),
  "card.member_added": activity("A member was assigned to a card", cardWithMember),
  "card.member_removed": activity("A member was unassigned from a card", cardWithMember),
  "card.claimed": activity("A card was claimed", cardWithMember),
  "card.claim_renewed": event("A claim of a card was renewed", cardWithMember),
  "card.claim_released": activity("A claim of a card was released", cardWithMember),
  "card.label_added": activity("A label was added to a card", { ...onCard, label: Label }),
  "card.label_removed": activity("A label was removed from a card", { ...onCard, label: Label }),

  ...declareBetweenCards({
    "relation.created": activity("A card was related to another: an event of each", onRelation),
    "relation.moved": activity("A child of a card was moved among the others", onRelation),
    "relation.deleted": activity(
      "A relation of two cards was removed: an event of each",
      onRelation,
    ),
  }),

  "label.created": event("A label was created", labelOnBoard),
  "label.updated": event("A label was changed", labelOnBoard),
  "label.deleted": event("A label was deleted", labelOnBoard),

  "field.created": event("A field was added to a board", { ...fieldOnBoard, ...placed }),
  "field.updated": event("A field was changed", { ...fieldOnBoard, ...placed, clearedCards }),
  "field.deleted": event("A field and its values were deleted", { ...fieldOnBoard, clearedCards }),
  "field.restored": event("A field and its values were restored", { ...fieldOnBoard, ...placed }),

  "view.created": event("A view of a board or of the workspace was created", viewOnBoard),
  "view.updated": event("A view of a board or of the workspace was changed", viewOnBoard),
  "view.deleted": event("A view of a board or of the workspace was deleted", viewOnBoard),
  "view.restored": event("A view of a board or of the workspace was restored", viewOnBoard),

  "comment.created": activity("A comment was created", { comment: Comment, ...underCard }),
  "comment.updated": activity("A comment was changed", { comment: Comment, ...underCard }),
  "comment.deleted": activity("A comment was deleted", { comment: Comment, ...underCard }),

  "checklist.created": activity("A checklist was added to a card", {
    checklist: ChecklistWithItems,
    ...underCard,
    ...movedTo,
  }),
  "checklist.updated": activity("A checklist was changed", {
    checklist: ChecklistInfo,
    ...underCard,
    ...movedTo,
  }),
  "checklist.moved": activity(
    "A checklist was moved to another card: an event of each of the two cards",
    {
      checklist: ChecklistWithItems,
      ...underCard,
      from: ChecklistSpot.meta(from),
      to: ChecklistSpot.meta(to),
    },
  ),
  "checklist.deleted": activity("A checklist was deleted", {
    checklist: ChecklistInfo,
    ...underCard,
  }),
  "checklist_item.created": activity("An item was added to a checklist", {
    ...underChecklist,
    ...movedTo,
  }),
  "checklist_item.updated": activity("A checklist item was changed", {
    ...underChecklist,
    ...movedTo,
  }),
  "checklist_item.moved": activity("A checklist item was moved to another checklist of its card", {
    ...underChecklist,
    from: ItemSpot.meta(from),
    to: ItemSpot.meta(to),
  }),
  "checklist_item.completed": activity("A checklist item was completed", underChecklist),
  "checklist_item.uncompleted": activity("A checklist item was reopened", underChecklist),
  "checklist_item.deleted": activity("An item was deleted from a checklist", underChecklist),

  "attachment.created": activity("A file was attached to a card", {
    attachment: Attachment,
    ...underCard,
  }),
  "attachment.deleted": activity("A file was removed from a card", {
    attachment: Attachment,
    ...underCard,
  }),

  "import.started": event("An import was started", { import: Import }),
  "import.progress": event("An import made progress", { import: Import }),
  "import.completed": event("An import was completed", { import: Import }),
  "import.failed": event("An import failed. What it created stays", { import: Import }),
  "import.people_mapped": event("People of a source were mapped to members", {
    import: Import,
    people: z.int().meta({ description: "The number of people that were mapped.", examples: [2] }),
  }),
  "import.cancelled": event("An import was cancelled. What it created stays", { import: Import }),
} as const satisfies Record<string, Spec>;

/** The type of an event: `list.created`. */
export type EventType = keyof typeof catalog;

/** The events of changes that bring cards into a list, or a list with its cards. */
export const enteringEvents = [
  "board.created",
  "list.restored",
  "list.unarchived",
  "card.created",
  "card.moved",
  "card.restored",
  "card.unarchived",
] as const satisfies readonly EventType[];

/** Whether a text is an event type. */
const isEventType = (text: string): text is EventType => Object.hasOwn(catalog, text);

/** All event types. */
export const eventTypes: readonly EventType[] = Object.keys(catalog).filter(isEventType);

/** Whether only the members that an event names receive it. */
export const isPersonal = (type: EventType): boolean =>
  "memberPublicIds" in catalog[type].data.shape;

/** The types of events that webhooks receive. */
export const webhookEventTypes: readonly EventType[] = eventTypes.filter(
  (type) => !isPersonal(type),
);
