import { z } from "zod";
import type { Items } from "../../exports/format.ts";
import { tidyUp } from "../memory.ts";
import { source } from "../sources.ts";
import { bringBoard } from "./boards.ts";
import { bringCards } from "./cards.ts";
import { bringFile, reportMissing } from "./files.ts";
import type { Bringing } from "./home.ts";
import { idsFrom } from "./ids.ts";
import { partsOf, type Part } from "./parcel.ts";
import { bringMembers, bringRoles } from "./people.ts";
import { heaviest, portionsOf, weightOf, type Portion } from "./plan.ts";

/** What an import of a workspace is told: where its document or archive is, what its ids are made of, who its member is that imports it, and how much there is of it. */
export const Ask = z.object({
  storageKey: z.string(),
  seed: z.string(),
  mine: z.string().nullable(),
  total: z.int(),
});

const membersAtOnce = 500;

/** Makes in a new workspace what an exported one holds. What an earlier run has made is known by its ids. */
export const workspace = source(Ask, async (run, { storageKey, seed, mine, total }) => {
  const bringing: Bringing = { run, ids: idsFrom(seed), mine, members: new Set() };
  const bringer = bringerOf(bringing);
  let done = 0;
  run.progress("members", done, total);
  for await (const part of partsOf(await run.deps.files.get(storageKey))) {
    tidyUp();
    await run.alive();
    await bringer.take(part);
    const section = part.kind === "piece" ? part.piece.section : part.kind;
    if (section === "boards" || section === "cards" || section === "file")
      run.progress(section === "file" ? "files" : section, ++done, total);
  }
  await bringer.settle();
  await reportMissing(bringing);
  run.progress("done", total, total);
});

/** Takes the parts of the document in their order; small ones go together. */
function bringerOf(bringing: Bringing) {
  const roles: Items["roles"][] = [];
  let byRole: Map<string, bigint> | undefined;
  let members: Items["members"][] = [];
  let cards: Portion[] = [];
  let weight = 0;
  const settle = async () => {
    if (byRole === undefined && roles.length > 0) byRole = await bringRoles(bringing, roles);
    if (members.length > 0) await bringMembers(bringing, byRole ?? new Map(), members);
    if (cards.length > 0) await bringCards(bringing, cards);
    [members, cards, weight] = [[], [], 0];
    await bringing.run.flush();
  };
  const add = async (portion: Portion) => {
    const more = weightOf(portion);
    if (weight > 0 && weight + more > heaviest) await settle();
    cards.push(portion);
    weight += more;
  };
  return {
    settle,
    async take(part: Part) {
      if (part.kind === "file") {
        await settle();
        await bringFile(bringing, part);
      }
      if (part.kind !== "piece") return;
      const { piece } = part;
      if (piece.section === "roles") roles.push(piece.value);
      else if (piece.section === "members") {
        bringing.members.add(piece.value.publicId);
        members.push(piece.value);
        if (members.length >= membersAtOnce) await settle();
      } else if (piece.section === "boards") {
        await settle();
        await bringBoard(bringing, piece.value);
      } else if (piece.section === "cards") {
        for (const portion of portionsOf(piece.value)) await add(portion);
      }
    },
  };
}
