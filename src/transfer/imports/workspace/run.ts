import { z } from "zod";
import type { Items } from "../../exports/format.ts";
import { tidyUp } from "../force-gc.ts";
import { source } from "../sources.ts";
import { bringBoard } from "./boards.ts";
import { bringCards } from "./cards.ts";
import { keepFiles } from "./files.ts";
import type { Bringing } from "./target.ts";
import { idsFrom } from "./ids.ts";
import { filesOf, partsOf } from "./archive-reader.ts";
import { bringMembers, bringRoles } from "./people.ts";
import type { Read } from "./sections.ts";
import { heaviest, weightOf } from "./plan.ts";

/** What an import of a workspace is told: where its document or archive is, what its ids are made of, who its member is that imports it, and how much there is of it. */
export const Ask = z.object({
  storageKey: z.string(),
  seed: z.string(),
  mine: z.string().nullable(),
  total: z.int(),
});

const membersAtOnce = 500;

/** Makes in a new workspace what an exported one holds: first its files are kept, so that a card comes with the bytes that hang on it. What an earlier run has made is known by its ids. */
export const workspace = source(Ask, async (run, { storageKey, seed, mine, total }) => {
  let done = 0;
  const said = (phase: string) => run.progress(phase, ++done, total);
  run.progress("reading", done, total);
  const open = () => run.deps.files.get(storageKey);
  const files = await keepFiles(run, filesOf(await open()), () => said("files"));
  const bringing: Bringing = { run, ids: idsFrom(seed), mine, members: new Set(), files };
  const bringer = bringerOf(bringing);
  for await (const part of partsOf(await open())) {
    if (part.kind !== "piece") break;
    tidyUp();
    await run.alive();
    await bringer.take(part.piece);
    const { section } = part.piece;
    if (section === "boards" || section === "cards") said(section);
  }
  await bringer.settle();
  run.progress("done", total, total);
});

/** Takes the pieces of the document in their order; small ones go together. */
function bringerOf(bringing: Bringing) {
  const roles: Items["roles"][] = [];
  let byRole: Map<string, bigint> | undefined;
  let members: Items["members"][] = [];
  let cards: Items["cards"][] = [];
  let weight = 0;
  const settle = async () => {
    if (byRole === undefined && roles.length > 0) byRole = await bringRoles(bringing, roles);
    if (members.length > 0) await bringMembers(bringing, byRole ?? new Map(), members);
    if (cards.length > 0) await bringCards(bringing, cards);
    [members, cards, weight] = [[], [], 0];
    await bringing.run.flush();
  };
  const add = async (card: Items["cards"]) => {
    const more = weightOf(card);
    if (weight > 0 && weight + more > heaviest) await settle();
    cards.push(card);
    weight += more;
  };
  return {
    settle,
    async take(piece: Read) {
      if (piece.section === "roles") roles.push(piece.value);
      else if (piece.section === "members") {
        bringing.members.add(piece.value.publicId);
        members.push(piece.value);
        if (members.length >= membersAtOnce) await settle();
      } else if (piece.section === "boards") {
        await settle();
        await bringBoard(bringing, piece.value);
      } else if (piece.section === "cards") {
        await add(piece.value);
      }
    },
  };
}
