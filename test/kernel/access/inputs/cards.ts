import type { Operation } from "../../../../src/contract/policy.ts";
import { attachment, card, checklist, comment, sentAttachment, text } from "../targets.ts";
import { insertClaim } from "../../../support/state.ts";
import type { World } from "../world.ts";
import { on, type Make } from "./make.ts";

const onCard = (more: object = {}) =>
  on(async (world) => ({ cardPublicId: await card(world), ...more }));

/** The first of two children of a card, at the place of the second one. */
async function related(world: World) {
  const { rest } = world.fixtures.admin;
  const cardPublicId = await card(world);
  const relate = async () => {
    const input = { kind: "parent", relatedCardPublicId: await card(world) };
    return (await rest.post(`/cards/${cardPublicId}/relations`, input)).body.relations;
  };
  const [{ publicId: relationPublicId }] = await relate();
  await relate();
  return { cardPublicId, relationPublicId, index: 1 };
}

/** A card that the caller has claimed. */
const onClaimed = on(async (world, who) => {
  const cardPublicId = await card(world);
  await insertClaim(world.app, cardPublicId, who?.publicId ?? world.fixtures.admin.publicId);
  return { cardPublicId };
});

/** Good inputs of what is done to cards and what is on them. */
export const cardInputs = {
  "card.get": on(({ fixtures }) => ({ cardPublicId: fixtures.ids.card })),
  "card.getByNumber": on(({ fixtures }) => ({
    workspacePublicId: fixtures.ids.workspace,
    cardNumber: "1",
  })),
  "card.activities": on(({ fixtures }) => ({ cardPublicId: fixtures.ids.card })),
  "card.create": on(({ fixtures }) => ({
    title: text(),
    listPublicId: fixtures.ids.list,
  })),
  "card.update": on(async (world) => ({ cardPublicId: await card(world), title: text() })),
  "card.bulkUpdate": on(async (world) => ({
    boardPublicId: world.fixtures.ids.board,
    cardPublicIds: [await card(world)],
    set: { dueDate: "2031-01-01T00:00:00.000Z" },
  })),
  "card.delete": onCard(),
  "card.restore": on(async (world) => {
    const cardPublicId = await card(world);
    await world.fixtures.admin.rest.delete(`/cards/${cardPublicId}`);
    return { cardPublicId };
  }),
  "card.duplicate": onCard(),
  "card.next": on(async (world) => {
    await card(world);
    return { boardPublicId: world.fixtures.ids.board };
  }),
  "card.claim": onCard(),
  "card.renewClaim": onClaimed,
  "card.releaseClaim": onClaimed,
  "card.watch": onCard({ isWatching: true }),
  "card.toggleLabel": on(async (world) => ({
    cardPublicId: await card(world),
    labelPublicId: world.fixtures.ids.label,
  })),
  "card.addLabel": on(async (world) => ({
    cardPublicId: await card(world),
    labelPublicId: world.fixtures.ids.label,
  })),
  "card.removeLabel": on(async (world) => {
    const cardPublicId = await card(world);
    const labelPublicId = world.fixtures.ids.label;
    await world.fixtures.admin.rest.post(`/cards/${cardPublicId}/labels`, { labelPublicId });
    return { cardPublicId, labelPublicId };
  }),
  "card.addMember": on(async (world) => ({
    cardPublicId: await card(world),
    memberPublicId: world.fixtures.ids.member,
  })),
  "card.removeMember": on(async (world) => {
    const cardPublicId = await card(world);
    const memberPublicId = world.fixtures.ids.member;
    await world.fixtures.admin.rest.post(`/cards/${cardPublicId}/members`, { memberPublicId });
    return { cardPublicId, memberPublicId };
  }),
  "card.toggleMember": on(async (world) => ({
    cardPublicId: await card(world),
    memberPublicId: world.fixtures.ids.member,
  })),

  "comment.list": on(({ fixtures }) => ({ cardPublicId: fixtures.ids.card })),
  "comment.create": onCard({ comment: "A comment" }),
  "comment.update": on(async (world) => ({ ...(await comment(world)), comment: text() })),
  "comment.delete": on(comment),

  "relation.create": on(async (world) => ({
    cardPublicId: await card(world),
    kind: "blocks",
    relatedCardPublicId: await card(world),
  })),
  "relation.update": on(related),
  "relation.delete": on(async (world) => {
    const { index: _, ...input } = await related(world);
    return input;
  }),
  "checklist.create": onCard({ name: "A checklist" }),
  "checklist.update": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
    name: text(),
  })),
  "checklist.delete": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
  })),
  "checklist.items": on(({ fixtures }) => ({
    cardPublicId: fixtures.ids.card,
    checklistPublicId: fixtures.ids.checklist,
  })),
  "checklist.addItem": on(async (world) => ({
    checklistPublicId: (await checklist(world)).publicId,
    title: text(),
  })),
  "checklist.updateItem": on(async (world) => ({
    checklistItemPublicId: (await checklist(world)).items[0].publicId,
    title: text(),
  })),
  "checklist.convertItem": on(async (world) => ({
    checklistItemPublicId: (await checklist(world)).items[0].publicId,
  })),
  "checklist.deleteItem": on(async (world) => ({
    checklistItemPublicId: (await checklist(world)).items[0].publicId,
  })),

  "attachment.upload": onCard({ filename: "a.txt" }),
  "attachment.link": onCard({ url: "https://example.com/plan" }),
  "attachment.prepare": onCard({ filename: "a.txt", contentType: "text/plain", size: 3 }),
  "attachment.confirm": on(async (world) => ({
    attachmentPublicId: await sentAttachment(world.fixtures.admin, await card(world)),
  })),
  "attachment.download": on(({ fixtures }) => ({
    attachmentPublicId: fixtures.ids.attachment,
  })),
  "attachment.fileUrl": on(({ fixtures }) => ({
    attachmentPublicId: fixtures.ids.attachment,
  })),
  "attachment.file": on(async ({ fixtures }) => {
    const attachmentPublicId = fixtures.ids.attachment ?? "";
    const { url } = await fixtures.admin.trpc.attachment.fileUrl.query({ attachmentPublicId });
    return { attachmentPublicId, token: new URL(url).searchParams.get("token") };
  }),
  "attachment.delete": on(async (world) => ({ attachmentPublicId: await attachment(world) })),
} satisfies Partial<Record<Operation, Make>>;
