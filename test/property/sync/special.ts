import { upload } from "../../domain/attachments/files.ts";
import { importFile } from "../../transfer/imports/importing.ts";
import { makeExport } from "../../transfer/imports/trello-export.ts";
import type { AccessScene } from "./access.ts";
import type { Known, Random } from "./operations.ts";

type Special = (scene: AccessScene, known: Known, random: Random) => Promise<void>;

const uploadFile: Special = async ({ app, workspace }, known, random) => {
  const reply = await upload(app, workspace.admin, random.pick(known.cards) ?? "", random.name());
  if (reply.status === 200) known.attachments.push(reply.body.publicId);
};

/** Imports a board: one of a few, so that it may exist already. */
const importBoard: Special = async ({ app, workspace }, known, random) => {
  const file = makeExport({ cards: 4, lists: 2, comments: 3 });
  const nth = random.below(4).toString(16).padStart(4, "0");
  // An id is the time, the kind, and the number of the object: the file has a number too.
  const ids = /"([0-9a-f]{8}[0-9a-f]{4})0000([0-9a-f]{8})"/g;
  const text = JSON.stringify(file).replaceAll(ids, `"$1${nth}$2"`);
  const { publicId, boards } = await importFile(app, workspace, text);
  known.boards.push(...boards.map((board: { publicId: string }) => board.publicId));
  known.imports.push(publicId);
};

/** Maps a person of an import to a member, or removes the mapping. */
const mapPeople: Special = async ({ workspace: { admin } }, known, random) => {
  const path = `/imports/${random.pick(known.imports)}/people`;
  const { status, body } = await admin.rest.get(path);
  if (status !== 200) return;
  const people = body.items.filter(random.flip).map(({ sourceId }: { sourceId: string }) => ({
    sourceId,
    memberPublicId: random.flip() ? random.pick(known.members) : null,
  }));
  if (people.length > 0) await admin.rest.put(path, { people });
};

const all: Special[] = [uploadFile, uploadFile, uploadFile, importBoard, mapPeople];

/** Runs at random what is more than one call, or a call with bytes. */
export async function performSpecial(
  scene: AccessScene,
  known: Known,
  random: Random,
): Promise<string> {
  const special = random.pick(all) ?? uploadFile;
  await special(scene, known, random);
  return special.name;
}
