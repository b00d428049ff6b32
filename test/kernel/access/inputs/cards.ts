import type { Operation } from "../../../../src/contract/policy.ts";
import { attachment, card, checklist, comment, sentAttachment, text } from "../targets.ts";
import { insertClaim } from "../../../support/state.ts";
import { on, type Make } from "./make.ts";

const onCard = (more: object = {}) =>
  on(async (world) => ({ cardPublicId: await card(world), ...more }));

/** A card that the caller has claimed. */
const onClaimed = on(async (world, who) => {
  const cardPublicId = await card(world);
  await insertClaim(world.app, cardPublicId, who?.publicId ?? world.estate.admin.publicId);
  return { cardPublicId };
});

/** Good inputs of what is done to cards and what is on them. */
export const cardInputs = {
  "card.get": on(({ estate }) => ({ cardPublicId: estate.ids.card })),
  "card.getByNumber": on(({ estate }) => ({
    workspacePublicId: estate.ids.workspace,
    cardNumber: "1",
  })),
  "card.activities": on(({ estate }) => ({ cardPublicId: estate.ids.card })),
  "card.create": on(({ estate }) => ({ title: text(), listPublicId: estate.ids.list })),
  "card.update": on(async (world) => ({ cardPublicId: await card(world), title: text() })),
  "card.bulkUpdate": on(async (world) => ({
    boardPublicId: world.estate.ids.board,
    cardPublicIds: [await card(world)],
    set: { dueDate: "2031-01-01T00:00:00.000Z" },
  })),
  "card.delete": onCard(),
  "card.restore": on(async (world) => {
    const cardPublicId = await card(world);
    await world.estate.admin.rest.delete(`/cards/${cardPublicId}`);
    return { cardPublicId };
  }),
  "card.duplicate": onCard(),
  "card.next": on(async (world) => {
    await card(world);
    return { boardPublicId: world.estate.ids.board };
  }),
  "card.claim": onCard(),
  "card.renewClaim": onClaimed,
  "card.releaseClaim": onClaimed,
  "card.watch": onCard({ isWatching: true }),
  "card.toggleLabel": on(async (world) => ({
    cardPublicId: await card(world),
    labelPublicId: world.estate.ids.label,
  })),
  "card.addLabel": on(async (world) => ({
    cardPublicId: await card(world),
    labelPublicId: world.estate.ids.label,
  })),
  "card.removeLabel": on(async (world) => {
    const cardPublicId = await card(world);
    const labelPublicId = world.estate.ids.label;
    await world.estate.admin.rest.post(`/cards/${cardPublicId}/labels`, { labelPublicId });
    return { cardPublicId, labelPublicId };
  }),
  "card.addMember": on(async (world) => ({
    cardPublicId: await card(world),
    memberPublicId: world.estate.ids.member,
  })),
  "card.removeMember": on(async (world) => {
    const cardPublicId = await card(world);
    const memberPublicId = world.estate.ids.member;
    await world.estate.admin.rest.post(`/cards/${cardPublicId}/members`, { memberPublicId });
    return { cardPublicId, memberPublicId };
  }),
  "card.toggleMember": on(async (world) => ({
    cardPublicId: await card(world),
    memberPublicId: world.estate.ids.member,
  })),

  "comment.list": on(({ estate }) => ({ cardPublicId: estate.ids.card })),
  "comment.create": onCard({ comment: "A comment" }),
  "comment.update": on(async (world) => ({ ...(await comment(world)), comment: text() })),
  "comment.delete": on(comment),

  "checklist.create": onCard({ name: "A checklist" }),
  "checklist.update": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
    name: text(),
  })),
  "checklist.delete": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
  })),
  "checklist.items": on(({ estate }) => ({
    cardPublicId: estate.ids.card,
    checklistPublicId: estate.ids.checklist,
  })),
  "checklist.addItem": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
    title: text(),
  })),
  "checklist.updateItem": on(async (world) => ({
    checklistItemPublicId: (await checklist(world)).items[0].publicId,
    title: text(),
  })),
  "checklist.deleteItem": on(async (world) => ({
    checklistItemPublicId: (await checklist(world)).items[0].publicId,
  })),

  "attachment.upload": onCard({ filename: "a.txt" }),
  "attachment.link": onCard({ url: "https://example.com/plan" }),
  "attachment.prepare": onCard({ filename: "a.txt", contentType: "text/plain", size: 3 }),
  "attachment.confirm": on(async (world) => ({
    attachmentPublicId: await sentAttachment(world.estate.admin, await card(world)),
  })),
  "attachment.download": on(({ estate }) => ({ attachmentPublicId: estate.ids.attachment })),
  "attachment.fileUrl": on(({ estate }) => ({ attachmentPublicId: estate.ids.attachment })),
  "attachment.file": on(async ({ estate }) => {
    const attachmentPublicId = estate.ids.attachment ?? "";
    const { url } = await estate.admin.trpc.attachment.fileUrl.query({ attachmentPublicId });
    return { attachmentPublicId, token: new URL(url).searchParams.get("token") };
  }),
  "attachment.delete": on(async (world) => ({ attachmentPublicId: await attachment(world) })),
} satisfies Partial<Record<Operation, Make>>;
