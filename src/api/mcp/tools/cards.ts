import { z } from "zod";
import { linkAttachment } from "../../../domain/attachments/link.ts";
import { createCard } from "../../../domain/cards/create.ts";
import { updateCard } from "../../../domain/cards/update.ts";
import { addItem } from "../../../domain/checklists/add-item.ts";
import { createChecklist } from "../../../domain/checklists/create.ts";
import { updateItem } from "../../../domain/checklists/update-item.ts";
import { getList } from "../../../domain/lists/get.ts";
import { createComment } from "../../../domain/comments/create.ts";
import { updateComment } from "../../../domain/comments/update.ts";
import * as arg from "../arguments.ts";
import { Expected, expecting } from "../expected.ts";
import { valuesByIds } from "../custom-fields.ts";
import { pick } from "../pick.ts";
import { quoted } from "../text.ts";
import { findRenamed, write, writes, type Write } from "../tool.ts";
import { present } from "../../../kernel/events/changes.ts";
import { relationWords } from "../show.ts";
import { finding, findingCards } from "./filters.ts";

const checklists = z
  .array(z.strictObject({ name: z.string(), items: z.array(z.string()).optional() }))
  .optional();

const fields = {
  description: z.string().optional(),
  startDate: arg.DueDate,
  dueDate: arg.DueDate,
  priority: arg.Priority.optional(),
  fields: arg.Values.describe("Custom fields by name, with names of options.").optional(),
};

type List = { publicId: string; name: string; wipLimit: number | null; wipMode: string };

/** Wraps a write that moves a card into a list: it also says if the list exceeds its limit. */
const entering = (list: List | undefined, planned: Write): Write => ({
  ...planned,
  async perform(session, options) {
    const sentence = await planned.perform(session, options);
    if (list === undefined || list.wipLimit === null || list.wipMode === "off") return sentence;
    const { output } = await session.run(getList, { listPublicId: list.publicId });
    const { name, cardCount, cardsOverLimit, wipLimit } = output;
    if (cardsOverLimit === 0) return sentence;
    return `${sentence} ${quoted(name)} now has ${cardCount} cards; its limit is ${wipLimit}.`;
  },
});

const cardCreate = writes(
  {
    name: "card_create",
    title: "Create a card",
    group: "cards",
    description: "Adds a card to a list, at its end unless `position` says start.",
    procedures: [createCard, ...finding],
    input: {
      list: arg.List,
      board: arg.Board,
      title: z.string(),
      ...fields,
      labels: arg.Labels,
      members: arg.Members,
      checklists,
      parent: arg.Card.optional(),
      blockedBy: z.array(z.string()).optional(),
      position: arg.Position,
      override: arg.Override,
    },
  },
  async (find, { list: listName, board, fields: values, ...given }) => {
    const { labels, members, checklists: lists, parent, blockedBy = [], ...others } = given;
    const list = await find.list(listName, board);
    const related = [
      ...(parent === undefined ? [] : [{ at: ["parent"], kind: "child" as const, card: parent }]),
      ...blockedBy.map((card, nth) => ({
        at: ["blockedBy", nth],
        kind: "blockedBy" as const,
        card,
      })),
    ];
    const created = write(
      createCard,
      {
        title: others.title,
        listPublicId: list.publicId,
        ...present({
          ...others,
          labelPublicIds: await find.labels(list.boardPublicId, labels),
          memberPublicIds: await find.members(list.boardPublicId, members),
          fields: await valuesByIds(find, list.boardPublicId, values),
          checklists: lists,
          relations: related.map(({ kind, card }) => ({ kind, relatedCardPublicId: card })),
        }),
      },
      ({ cardNumber, publicId }) => `Created ${cardNumber} (${publicId}) in ${quoted(list.name)}.`,
    );
    return entering(list, { ...created, places: { relations: related.map(({ at }) => at) } });
  },
);

const cardUpdate = writes(
  {
    name: "card_update",
    title: "Update a card",
    group: "cards",
    description:
      "Changes the given fields, labels and members of a card. Null changes nothing: `clear` " +
      "empties fields, and null within `fields` a custom field.",
    procedures: [updateCard, ...finding, ...findingCards],
    input: {
      card: arg.Card,
      title: z.string().optional(),
      ...fields,
      clear: arg.clearOf("description", "startDate", "dueDate"),
      isComplete: z.boolean().optional(),
      addLabels: arg.Labels,
      removeLabels: arg.Labels,
      addMembers: arg.Members,
      removeMembers: arg.Members,
      expected: Expected,
    },
  },
  async (find, { card: number, addLabels, removeLabels, addMembers, removeMembers, ...others }) => {
    const card = await find.card(number);
    const { expected: _, fields: values, clear, ...changes } = others;
    return write(
      updateCard,
      {
        cardPublicId: card.publicId,
        ...present({
          ...arg.withCleared(changes, clear),
          fields: await valuesByIds(find, card.boardPublicId, values),
          addLabelPublicIds: await find.labels(card.boardPublicId, addLabels),
          removeLabelPublicIds: await find.labels(card.boardPublicId, removeLabels),
          addMemberPublicIds: await find.members(card.boardPublicId, addMembers),
          removeMemberPublicIds: await find.members(card.boardPublicId, removeMembers),
        }),
      },
      () => `Updated ${card.cardNumber}.`,
    );
  },
  ({ expected }) => expecting(expected),
);

const cardMove = writes(
  {
    name: "card_move",
    title: "Move a card",
    group: "cards",
    description:
      "Moves a card to a list of its board, or of another board of the workspace, or within its " +
      "list: to its end, start, or next to another card.",
    procedures: [updateCard, ...finding, ...findingCards],
    input: {
      card: arg.Card,
      list: arg.List.optional(),
      board: z.string().describe("Of the list, if it is another.").optional(),
      position: arg.Position,
      before: arg.Card.optional(),
      after: arg.Card.optional(),
      override: arg.Override,
      expected: Expected,
    },
  },
  async (find, { card: number, list: listName, board, position, before, after, override }) => {
    const card = await find.card(number);
    const list =
      listName === undefined ? undefined : await find.list(listName, board ?? card.boardPublicId);
    const isPlaced = position !== undefined || before !== undefined || after !== undefined;
    const isSame = list?.publicId === card.listPublicId;
    const moved = write(
      updateCard,
      {
        cardPublicId: card.publicId,
        ...present({
          listPublicId: list?.publicId,
          override,
          position: isPlaced ? position : ("end" as const),
          beforeCardPublicId: before === undefined ? before : (await find.card(before)).publicId,
          afterCardPublicId: after === undefined ? after : (await find.card(after)).publicId,
        }),
      },
      () => `Moved ${card.cardNumber}${list === undefined ? "" : ` to ${quoted(list.name)}`}.`,
    );
    return entering(isSame ? undefined : list, moved);
  },
  ({ expected }) => expecting(expected),
);

const cardArchive = writes(
  {
    name: "card_archive",
    title: "Archive a card",
    group: "cards",
    description: "Archives a card, or brings it back with `isArchived` false. Nothing is deleted.",
    procedures: [updateCard, getList, ...findingCards],
    input: {
      card: arg.Card,
      isArchived: z.boolean().optional(),
      override: arg.Override,
      expected: Expected,
    },
  },
  async (find, { card: number, isArchived = true, override }) => {
    const card = await find.card(number);
    const list = isArchived ? undefined : await find.list(card.listPublicId, undefined);
    const updated = write(
      updateCard,
      { cardPublicId: card.publicId, isArchived, ...present({ override }) },
      () => `${isArchived ? "Archived" : "Brought back"} ${card.cardNumber}.`,
    );
    return entering(list, updated);
  },
  ({ expected }) => expecting(expected),
);

const cardRelate = writes(
  {
    name: "card_relate",
    title: "Relate two cards",
    group: "cards",
    description:
      "Says that a card blocks another, is its parent, and so on; `remove` takes it back. A card is " +
      "not ready before its blockers are complete.",
    procedures: [updateCard, ...findingCards],
    input: {
      card: arg.Card,
      kind: arg.RelationKind,
      other: arg.Card,
      remove: z.boolean().optional(),
    },
  },
  async (find, { card: number, kind, other, remove = false }) => {
    const card = await find.card(number);
    const relations = [{ kind, relatedCardPublicId: other }];
    const change = remove ? { removeRelations: relations } : { addRelations: relations };
    const verb = remove ? `no longer ${relationWords[kind]}` : relationWords[kind];
    const input = { cardPublicId: card.publicId, ...change };
    const planned = write(updateCard, input, () => `${card.cardNumber} ${verb} ${other}.`);
    const at = [["other"]];
    return { ...planned, places: { addRelations: at, removeRelations: at } };
  },
);

const checklistCreate = writes(
  {
    name: "checklist_create",
    title: "Add a checklist",
    group: "cards",
    description: "Adds a checklist with items to a card.",
    procedures: [createChecklist, ...findingCards],
    input: { card: arg.Card, name: z.string(), items: z.array(z.string()).optional() },
  },
  async (find, { card: number, name, items }) => {
    const card = await find.card(number);
    const input = { cardPublicId: card.publicId, name, ...present({ items }) };
    return write(
      createChecklist,
      input,
      ({ itemCount }) => `Added a checklist with ${itemCount} items to ${card.cardNumber}.`,
    );
  },
);

const nameIn = ({ name }: { name: string }) => [name];

const itemCreate = writes(
  {
    name: "item_create",
    title: "Add a checklist item",
    group: "cards",
    description: "Adds an item at the end of a checklist of a card.",
    procedures: [addItem, ...findingCards],
    input: {
      card: arg.Card,
      checklist: z.string().describe("Name or id; needed if it has several.").optional(),
      title: z.string(),
    },
  },
  async (find, { card: number, checklist, title }) => {
    const card = await find.card(number);
    const { publicId } = pick("checklist", checklist, card.checklists, nameIn);
    return write(addItem, { checklistPublicId: publicId, title }, () => {
      return `Added an item to ${card.cardNumber}.`;
    });
  },
);

const itemUpdate = writes(
  {
    name: "item_update",
    title: "Update a checklist item",
    group: "cards",
    description:
      "Completes, renames, assigns or dates an item of a checklist of a card, or moves it to " +
      "another checklist of the card.",
    procedures: [updateItem, ...finding, ...findingCards],
    input: {
      card: arg.Card,
      item: z.string().describe("Title or id."),
      checklist: z.string().describe("Moves the item there.").optional(),
      isComplete: z.boolean().optional(),
      title: z.string().optional(),
      member: z.string().describe("Name, or me.").optional(),
      dueDate: arg.DueDate,
      clear: arg.clearOf("member", "dueDate"),
    },
  },
  async (find, { card: number, item: titleOrId, checklist, clear, ...given }) => {
    const { member, ...changes } = arg.withCleared(given, clear);
    const card = await find.card(number);
    const items = card.checklists.flatMap((one) => one.items);
    const { resource: item, refusal } = await findRenamed(
      titleOrId,
      changes.title,
      async (wanted) => pick("item", wanted, items, ({ title }) => [title]),
    );
    const memberPublicId =
      typeof member === "string" ? await find.member(card.boardPublicId, member) : member;
    const input = {
      checklistItemPublicId: item.publicId,
      ...present({
        ...changes,
        memberPublicId,
        checklistPublicId:
          checklist === undefined
            ? checklist
            : pick("checklist", checklist, card.checklists, nameIn).publicId,
      }),
    };
    const say = ({ isComplete, title }: { isComplete: boolean; title: string }) =>
      `Updated the item ${quoted(title)}: ${isComplete ? "complete" : "open"}.`;
    return write(updateItem, input, say, refusal);
  },
);

const linkCreate = writes(
  {
    name: "link_create",
    title: "Attach a link",
    group: "cards",
    description: "Attaches a URL to a card.",
    procedures: [linkAttachment, ...findingCards],
    input: { card: arg.Card, url: z.string(), name: z.string().optional() },
  },
  async (find, { card: number, url, name }) => {
    const card = await find.card(number);
    const input = { cardPublicId: card.publicId, url, ...present({ name }) };
    return write(linkAttachment, input, ({ filename }) => {
      return `Attached the link ${quoted(filename)} to ${card.cardNumber}.`;
    });
  },
);

const commentCreate = writes(
  {
    name: "comment_create",
    title: "Comment on a card",
    group: "cards",
    description: "Adds a comment in Markdown. `@[name](member id)` notifies a member.",
    procedures: [createComment, ...findingCards],
    input: { card: arg.Card, comment: z.string() },
  },
  async (find, { card: number, comment }) => {
    const card = await find.card(number);
    return write(createComment, { cardPublicId: card.publicId, comment }, ({ publicId }) => {
      return `Added comment ${publicId} to ${card.cardNumber}.`;
    });
  },
);

const commentUpdate = writes(
  {
    name: "comment_update",
    title: "Edit a comment",
    group: "cards",
    description: "Replaces the text of a comment of yours; card_get shows its id.",
    procedures: [updateComment, ...findingCards],
    input: { card: arg.Card, commentId: z.string(), comment: z.string() },
  },
  async (find, { card: number, commentId, comment }) => {
    const card = await find.card(number);
    const input = { cardPublicId: card.publicId, commentPublicId: commentId, comment };
    return write(updateComment, input, () => `Edited a comment on ${card.cardNumber}.`);
  },
);

/** The tools that write cards and what is on them. */
export const cardTools = [
  cardCreate,
  cardUpdate,
  cardMove,
  cardArchive,
  cardRelate,
  checklistCreate,
  itemCreate,
  itemUpdate,
  linkCreate,
  commentCreate,
  commentUpdate,
];
