import { z } from "zod";
import { AttachmentDetail } from "../../contract/resources/attachments.ts";
import { BoardWithCursor } from "../../contract/resources/boards.ts";
import { Card } from "../../contract/resources/cards.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { Member } from "../../contract/resources/members.ts";
import { Activities, activitiesOf } from "./activities.ts";
import { ifAllowed, type RestCalls } from "./rest-calls.ts";
import {
  Anything,
  assigneeOf,
  attachmentOf,
  checklistOf,
  memberOf,
  nameRefOf,
  numberOf,
  writtenCard,
} from "./shapes.ts";

const cardPath = "/cards/{cardPublicId}";

/** A card with its list, board and workspace, its people and its latest activities. */
export async function getCard(calls: RestCalls) {
  const card = await calls.read(Card, cardPath);
  const [board, members = [], activities] = await Promise.all([
    ifAllowed(calls.read(BoardWithCursor, `/boards/${card.boardPublicId}`, { cardLimit: "1" })),
    ifAllowed(calls.readAll(Member, `/workspaces/${card.workspacePublicId}/members`)),
    calls.read(Activities, `${cardPath}/activities`, { limit: "100" }),
  ]);
  const addresses = new Map(members.map((member) => [member.publicId, member.email]));
  const { listPublicId, boardPublicId, workspacePublicId, ...fields } = card;
  const lists = board?.lists.map(nameRefOf) ?? [];
  return {
    ...fields,
    cardNumber: numberOf(card.cardNumber),
    index: card.index ?? 0,
    createdBy: null,
    members: card.members.map(assigneeOf(addresses)),
    attachments: card.attachments.map(attachmentOf),
    checklists: card.checklists.map(checklistOf),
    list: {
      publicId: listPublicId,
      name: lists.find(({ publicId }) => publicId === listPublicId)?.name ?? "",
      board: {
        publicId: boardPublicId,
        name: board?.name ?? "",
        labels: board?.labels ?? [],
        lists,
        workspace: {
          publicId: workspacePublicId,
          cardPrefix: card.cardNumber.replace(/-\d+$/, ""),
          members: members.map(memberOf),
        },
      },
    },
    // Oldest first; the list of activities has its newest page first.
    activities: activitiesOf(activities.items, addresses).toReversed(),
  };
}

export const createCard = async (calls: RestCalls) =>
  writtenCard(await calls.send("POST", Card, "/cards", await calls.body()));

/** Copies a card to the end of a list. */
export async function duplicateCard(calls: RestCalls) {
  const { index: _, ...body } = await calls.body();
  return writtenCard(await calls.send("POST", Card, `${cardPath}/duplicate`, body));
}

/** A page of the activities of a card, newest first. */
export async function listActivities(calls: RestCalls) {
  const limit = calls.query.get("limit") ?? "10";
  const cursor = calls.query.get("cursor") ?? undefined;
  const page = await calls.read(Activities, `${cardPath}/activities`, { limit, cursor });
  return {
    activities: activitiesOf(page.items, new Map()),
    hasMore: page.nextCursor !== null,
    nextCursor: page.nextCursor,
  };
}

export async function deleteComment(calls: RestCalls) {
  const path = `${cardPath}/comments/{commentPublicId}`;
  const response = await calls.send("DELETE", Anything, path);
  return { ...response, publicId: calls.id("commentPublicId") };
}

export async function updateItem(calls: RestCalls) {
  const { isCompleted, ...body } = await calls.body();
  const input = isCompleted === undefined ? body : { isComplete: isCompleted, ...body };
  const path = "/checklists/items/{checklistItemPublicId}";
  return calls.send("PUT", ChecklistItemDetail, path, input);
}

const Prepared = z.object({ attachmentPublicId: z.string(), url: z.string() });

/** The address that accepts a file; its key is the id of the attachment. */
export async function prepareAttachment(calls: RestCalls) {
  const path = `${cardPath}/attachments/upload-url`;
  const prepared = await calls.send("POST", Prepared, path, await calls.body());
  return { url: prepared.url, key: prepared.attachmentPublicId };
}

/** Completes an upload. The stored file says what its size and type are, not the client. */
export async function confirmAttachment(calls: RestCalls) {
  const { s3Key } = await calls.body();
  // An invalid key is refused as an id, after the credential. A dot would change the path.
  const key = typeof s3Key === "string" ? s3Key.toWellFormed().replaceAll(".", "-") : "-";
  const path = `/attachments/${encodeURIComponent(key)}/confirm`;
  return attachmentOf(await calls.send("POST", AttachmentDetail, path));
}
