import { expect } from "vitest";
import { upload } from "../../domain/attachments/files.ts";
import type { Fixtures } from "./fixtures.ts";

/** What only texts of a restricted board have. */
export const canary = "Verborgen";

/** Creates a restricted board with one of each resource, whose texts have the canary. */
export async function makeHidden(fixtures: Fixtures): Promise<Fixtures> {
  const { admin, ids, app } = fixtures;
  const post = async (path: string, body: object) => {
    const { status, body: made } = await admin.rest.post(path, body);
    expect({ path, status }).toEqual({ path, status: 200 });
    return made;
  };
  const board = await post(`/workspaces/${ids.workspace}/boards`, {
    name: `${canary} board`,
    description: canary,
    visibility: "restricted",
    lists: [`${canary} list`],
    labels: [{ name: `${canary} label`, colourCode: "#1f2e3d" }],
  });
  const list: string = board.lists[0].publicId;
  const label: string = board.labels[0].publicId;
  const made = { title: `${canary} card`, description: canary, listPublicId: list };
  const { publicId: field, options } = await post(`/boards/${board.publicId}/fields`, {
    name: `${canary} field`,
    type: "select",
    options: [{ name: `${canary} option` }],
  });
  const { publicId: view } = await post(`/workspaces/${ids.workspace}/views`, {
    name: `${canary} view`,
    scope: "board",
    boardPublicId: board.publicId,
  });
  const { publicId: card } = await post("/cards", { ...made, labelPublicIds: [label] });
  // Claimed and with a value, so that counts and filters by them would tell of it.
  await post(`/cards/${card}/claim`, {});
  await admin.rest.put(`/cards/${card}`, { fields: { [field]: options[0].publicId } });
  const { publicId: checklist, items } = await post(`/cards/${card}/checklists`, {
    name: `${canary} checklist`,
    items: [`${canary} item`],
  });
  const { publicId: comment } = await post(`/cards/${card}/comments`, { comment: canary });
  const named = { filename: `${canary}.txt` };
  const { body: attachment } = await upload(app, admin, card, canary, named);
  const item: string = items[0].publicId;
  const under = { list, label, field, view, card, checklist, checklistItem: item, comment };
  const all = { ...under, board: board.publicId, attachment: attachment.publicId };
  return { ...fixtures, ids: { ...ids, ...all } };
}
