import type { Operation } from "../../src/contract/policy.ts";
import type { App } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { upload } from "../domain/attachments/files.ts";
import type { Input } from "./access/call.ts";
import { putMember } from "./access/fixtures.ts";
import { account } from "./access/targets.ts";
import type { World } from "./access/world.ts";

/** A call that locks more than the input of its operation in `access/inputs`. */
export type Wide = { operation: Operation; input: Input };

/** Two boards, with cards that have all that a card can have. */
async function makeFull(world: World) {
  const { app, fixtures } = world;
  const { workspace, admin } = fixtures;
  const [board, other] = [await makeBoard(workspace), await makeBoard(workspace)];
  const { publicId: member } = await putMember(fixtures, await account(world), "member");
  const [list = "", otherList = ""] = [board.lists[0], other.lists[0]];
  const cards = [await makeCard(admin, list), await makeCard(admin, list)];
  const [card = ""] = cards;
  for (const one of cards) await fill(app, admin, one, member);
  const [labelPublicId = ""] = board.labels;
  await admin.rest.post(`/cards/${card}/labels`, { labelPublicId });
  const { body } = await admin.rest.get(`/cards/${card}`);
  const [checklist] = body.checklists;
  const item = checklist.items[1].publicId;
  return { board, other, list, otherList, cards, card, member, labelPublicId, checklist, item };
}

async function fill(app: App, user: World["fixtures"]["admin"], card: string, member: string) {
  const { rest } = user;
  await rest.post(`/cards/${card}/checklists`, { name: "One", items: ["a", "b"] });
  await rest.post(`/cards/${card}/checklists`, { name: "Two", items: ["c"] });
  await rest.post(`/cards/${card}/comments`, { comment: "A comment" });
  await rest.post(`/cards/${card}/members`, { memberPublicId: member });
  await upload(app, user, card, "text");
}

/** Calls that lock what is beside, above and below their targets, by name. */
export const wideInputs: Record<string, (world: World) => Promise<Wide>> = {
  async "a move of a full board"(world) {
    const { board } = await makeFull(world);
    const { publicId: workspacePublicId } = await makeWorkspace(world.app, world.fixtures.admin);
    const input = { boardPublicId: board.publicId, workspacePublicId };
    return { operation: "board.move", input };
  },
  async "a copy of a board with its files"(world) {
    const { board } = await makeFull(world);
    const copied = { sourceBoardPublicId: board.publicId, withAttachments: true };
    const input = { workspacePublicId: world.fixtures.ids.workspace, name: "Copy", ...copied };
    return { operation: "board.create", input };
  },
  async "a board that becomes restricted"(world) {
    const { board } = await makeFull(world);
    const input = { boardPublicId: board.publicId, visibility: "restricted" };
    return { operation: "board.update", input };
  },
  async "the deletion of a checklist with items"(world) {
    const { checklist } = await makeFull(world);
    return { operation: "checklist.delete", input: { checklistPublicId: checklist.publicId } };
  },
  async "a move of a checklist"(world) {
    const { checklist } = await makeFull(world);
    const input = { checklistPublicId: checklist.publicId, index: 1 };
    return { operation: "checklist.update", input };
  },
  async "a move of an item"(world) {
    const { item, member } = await makeFull(world);
    const input = { checklistItemPublicId: item, index: 0, memberPublicId: member };
    return { operation: "checklist.updateItem", input };
  },
  async "a move of a card to another board"(world) {
    const { card, otherList } = await makeFull(world);
    const input = { cardPublicId: card, listPublicId: otherList, index: 0 };
    return { operation: "card.update", input };
  },
  async "a change of all that a card has"(world) {
    const { card, labelPublicId } = await makeFull(world);
    const sets = { removeLabelPublicIds: [labelPublicId], memberPublicIds: [] };
    return { operation: "card.update", input: { cardPublicId: card, index: 1, ...sets } };
  },
  async "a change of many cards"(world) {
    const { cards, board, member, labelPublicId } = await makeFull(world);
    const sets = { addLabelPublicIds: [labelPublicId], removeMemberPublicIds: [member] };
    const set = { ...sets, listPublicId: board.lists[1], dueDate: "2031-01-01T00:00:00.000Z" };
    const input = { boardPublicId: board.publicId, cardPublicIds: cards, set };
    return { operation: "card.bulkUpdate", input };
  },
  async "a copy of all that a card has"(world) {
    const { card, otherList } = await makeFull(world);
    const copied = { withMembers: true, withAttachments: true, withComments: true };
    const input = { cardPublicId: card, listPublicId: otherList, ...copied };
    return { operation: "card.duplicate", input };
  },
  async "a move of cards to another board"(world) {
    const { list, otherList } = await makeFull(world);
    const input = { listPublicId: list, targetListPublicId: otherList };
    return { operation: "list.moveCards", input };
  },
  async "a move of a list"(world) {
    const { list } = await makeFull(world);
    return { operation: "list.update", input: { listPublicId: list, index: 1 } };
  },
  async "the removal of a member with cards"(world) {
    const { member: memberPublicId } = await makeFull(world);
    const input = { workspacePublicId: world.fixtures.ids.workspace, memberPublicId };
    return { operation: "member.remove", input };
  },
};
