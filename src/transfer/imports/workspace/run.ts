import { z } from "zod";
import { archiveFiles, sectionsTask, type SectionRead } from "../../format/archive-tasks.ts";
import type { Items } from "../../format/workspace.ts";
import { parse } from "../../../platform/parsing/pool.ts";
import { loadOnce } from "../../../platform/load-once.ts";
import { noRepairs, type Repairs } from "../../../platform/json/readable.ts";
import { sql } from "../../../platform/db/sql.ts";
import { discardImportFiles } from "../job/files.ts";
import { source } from "../job/sources.ts";
import { writeBoard } from "../write/board.ts";
import { analyzeTables, cardBatches, writeCards } from "../write/cards.ts";
import type { Member, SourceCard } from "../write/source.ts";
import { reportRepairs } from "../write/repairs.ts";
import type { CardSequence } from "../write/positions.ts";
import type { Writer } from "../write/step.ts";
import { derivedIdentity } from "./derived.ts";
import { copyFrom, storeArchiveFiles, type StoredFile } from "./files.ts";
import { mapExportedCard, memberMissing, type MapCardContext } from "./map-card.ts";
import { writeView } from "./views.ts";
import { findMembers, writeMembers, writeRoles } from "./people.ts";
import { groupBy } from "../../../platform/maps.ts";

/** The input: the stored document or archive, the seed of its ids, its importer and its size. */
export const WorkspaceInput = z.object({
  storageKey: z.string(),
  seed: z.string(),
  mine: z.string().nullable(),
  total: z.int(),
});

const membersPerStep = 500;

/** Imports an exported workspace into a new one. Files come first, so that cards are complete. */
export const workspace = source(
  WorkspaceInput,
  async (context, { storageKey, seed, mine, total }) => {
    let doneCount = 0;
    const advance = (phase: string) => context.progress(phase, ++doneCount, total);
    context.progress("reading", doneCount, total);
    const open = () => context.deps.files.get(storageKey);
    // Files that earlier runs have stored.
    const isEarlier = sql`i.id = ${context.row.id} AND f."storageKey" <> ${storageKey}`;
    await discardImportFiles(context.deps, isEarlier);
    const storedFiles = await storeArchiveFiles(
      context,
      archiveFiles(await open(), context.signal),
      () => advance("files"),
    );
    const identity = derivedIdentity(context.row, seed);
    const members = new Map<string, Member>();
    const writer = { context, identity, members, isArchive: true, board: null };
    let count = 0;
    const repairs = noRepairs();
    const parts = parse(sectionsTask, await open(), null, context.signal);
    const cards = cardsOf(writer, parts, { mine, members, files: storedFiles, advance, repairs });
    const copy = copyFrom(context, storedFiles);
    for await (const batch of cardBatches(cards)) {
      await writeCards(writer, sequencesOf(batch), copy);
      count += batch.length;
    }
    reportRepairs(repairs, context.skip);
    await context.flush();
    await analyzeTables(context.deps, count);
    context.progress("done", total, total);
  },
);

/** The cards of each list in their order. */
const sequencesOf = (cards: SourceCard[]): CardSequence[] =>
  [...groupBy(cards, ({ listPublicId }) => listPublicId).values()].map((cardsOfList) => ({
    cards: cardsOfList,
    before: null,
    after: null,
  }));

type Options = {
  mine: string | null;
  /** Gets the members of the document who are members here. */
  members: Map<string, Member>;
  files: ReadonlyMap<string, StoredFile>;
  advance: (section: string) => void;
  /** Gets what was changed in the text of the document to read it. */
  repairs: Repairs;
};

/** Reads the sections in their order: writes roles, members and boards, and yields cards. */
async function* cardsOf(
  writer: Writer,
  parts: AsyncGenerator<SectionRead>,
  { mine, members: membersHere, files, advance, repairs }: Options,
): AsyncGenerator<SourceCard> {
  const { context, identity } = writer;
  const roles: Items["roles"][] = [];
  const members: Items["members"][] = [];
  const memberIds = new Set<string>();
  const types = new Map<string, string>();
  const optionIds = new Set<string>();
  const roleIds = loadOnce(() => writeRoles(writer, roles));
  const writeTaken = async () => writeMembers(writer, await roleIds(), members.splice(0), mine);
  // What boards and cards are converted with, after all members are written.
  const mapping = loadOnce(async (): Promise<MapCardContext> => {
    await writeTaken();
    const idOf = identity.publicId;
    for (const [id, member] of await findMembers(writer, idOf, memberIds))
      membersHere.set(id, member);
    const isNamed = (id: string) => memberIds.has(id) || optionIds.has(id);
    const isMember = (id: string) => memberIds.has(id);
    const typeOf = (id: string) => types.get(id);
    const { baseUrl } = context.deps;
    return { idOf, isMember, isNamed, typeOf, baseUrl, members: membersHere, files };
  });
  for await (const part of parts) {
    if (part.section === null) {
      Object.assign(repairs, part.repairs);
      continue;
    }
    await context.checkAlive();
    const { section, value } = part.section;
    if (section === "roles") roles.push(value);
    else if (section === "members") {
      memberIds.add(value.publicId);
      if (members.push(value) >= membersPerStep) await writeTaken();
    } else if (section === "boards") {
      for (const { publicId, type, options } of value.fields) {
        types.set(publicId, type);
        for (const option of options) optionIds.add(option.publicId);
      }
      await mapping();
      const { name, memberPublicIds } = value;
      const count = memberPublicIds.filter((id) => !membersHere.has(id)).length;
      if (count > 0) context.skip({ kind: "boardMember", name, reason: memberMissing, count });
      await writeBoard(writer, value);
    } else if (section === "views") await writeView(writer, value, await mapping());
    else if (section === "cards") yield mapExportedCard(value, await mapping());
    if (section === "boards" || section === "cards") advance(section);
  }
  await mapping();
}
