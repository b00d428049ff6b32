import { z } from "zod";
import { BoardInfo, BoardRef } from "../boards/view.ts";
import { CardInfo, CardName } from "../cards/view.ts";
import { ChecklistInfo, ChecklistItem } from "../checklists/view.ts";
import { Label } from "../labels/view.ts";
import { ListInfo, ListRef } from "../lists/view.ts";
import { Member } from "../members/view.ts";
import { Role } from "../roles/view.ts";
import { WorkspaceInfo } from "../workspaces/view.ts";

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

const onCard = { card: CardInfo, list: ListRef, board: BoardRef };
const underCard = { ...onCard, card: CardName };
const ChecklistRef = ChecklistInfo.omit({ version: true });
const MemberEvent = Member.omit({ email: true });
const LabelEvent = Label.extend({ version: z.int() });
/** The list that a card was in, or is. */
const Spot = z.object({ listPublicId: z.string(), boardPublicId: z.string() });

/** Every event: what it tells, and (`isActivity`) whether it shows in its card's history. */
export const catalog = {
  "workspace.created": event("A workspace was created", { workspace: WorkspaceInfo }),
  "workspace.updated": event("A workspace was changed", { workspace: WorkspaceInfo }),
  "workspace.deleted": event("A workspace was deleted", { workspace: WorkspaceInfo }),

  "member.joined": event("A member joined", { member: MemberEvent }),
  "member.permissions_changed": event("A member's own permissions were changed", {
    member: MemberEvent,
    permission: z.string(),
    granted: z.boolean(),
  }),
  "role.updated": event("A role was changed", { role: Role }),

  "board.created": event("A board was created", { board: BoardInfo }),

  "list.created": event("A list was created", { list: ListInfo, board: BoardRef }),

  "card.created": activity("A card was created", onCard),
  "card.updated": activity("A card was changed", onCard),
  "card.moved": activity("A card was moved", {
    ...onCard,
    from: Spot,
    to: Spot.extend({ index: z.int() }),
  }),
  "card.archived": activity("A card was archived", onCard),
  "card.completed": activity("A card was completed", onCard),
  "card.deleted": activity("A card was deleted", onCard),
  "card.label_added": activity("A label was put on a card", { ...onCard, label: Label }),
  "card.label_removed": activity("A label was taken off a card", { ...onCard, label: Label }),

  "label.created": event("A label was created", { label: LabelEvent, board: BoardRef }),
  "label.updated": event("A label was changed", { label: LabelEvent, board: BoardRef }),

  "checklist.created": activity("A checklist was added to a card", {
    checklist: ChecklistInfo.extend({ items: z.array(ChecklistItem) }),
    ...underCard,
  }),
  "checklist_item.created": activity("An item was added to a checklist", {
    checklistItem: ChecklistItem,
    checklist: ChecklistRef,
    ...underCard,
  }),
  "checklist_item.deleted": activity("An item was deleted from a checklist", {
    checklistItem: ChecklistItem,
    checklist: ChecklistRef,
    ...underCard,
  }),
} as const satisfies Record<string, Spec>;

/** The type of an event: `list.created`. */
export type EventType = keyof typeof catalog;

/** What an event of one type tells. */
export type EventData<Type extends EventType> = z.input<(typeof catalog)[Type]["data"]>;

/** The name that an event's main thing has in its data: `checklist_item.created` is about `checklistItem`. */
export const subjectOf = (type: EventType) =>
  type
    .split(".", 1)
    .join("")
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
