import { z } from "zod";
import { filesOf, partsOf } from "../../format/archive-reader.ts";
import type { Items } from "../../format/workspace.ts";
import { forceGc } from "../../../platform/force-gc.ts";
import { discardEarlierFiles } from "../job/files.ts";
import { source } from "../job/sources.ts";
import { writeBoard } from "../write/board.ts";
import { batchesOf, writeCards } from "../write/cards.ts";
import { storeFiles } from "../write/files.ts";
import type { SourceCard } from "../write/model.ts";
import type { Stretch } from "../write/positions.ts";
import { analyzeTables } from "../write/statistics.ts";
import type { Writer } from "../write/step.ts";
import { derivedIdentity } from "./derived.ts";
import { copyFrom, storeArchiveFiles, type StoredFile } from "./files.ts";
import { mapBoard } from "./map-board.ts";
import { mapCard, type MapContext } from "./map-card.ts";
import { findMembers, writeMembers, writeRoles } from "./people.ts";

/** The input: the stored document or archive, the seed of its ids, its importer and its size. */
export const Input = z.object({
  storageKey: z.string(),
  seed: z.string(),
  mine: z.string().nullable(),
  total: z.int(),
});

const membersPerStep = 500;

/** Imports an exported workspace into a new one. Files come first, so that cards are complete. */
export const workspace = source(Input, async (context, { storageKey, seed, mine, total }) => {
  let done = 0;
  const advance = (phase: string) => context.progress(phase, ++done, total);
  context.progress("reading", done, total);
  const open = () => context.deps.files.get(storageKey);
  await discardEarlierFiles(context.deps, context.row.id, storageKey);
  const stored = await storeArchiveFiles(context, filesOf(await open()), () => advance("files"));
  const identity = derivedIdentity(context.row, seed);
  const writer = { context, identity, hasHistory: true, board: null };
  const reader = new DocumentReader(writer, mine, stored);
  let count = 0;
  for await (const batch of batchesOf(reader.cards(partsOf(await open()), advance))) {
    await storeFiles(writer, batch, copyFrom(context, stored));
    await writeCards(writer, stretchesOf(batch));
    count += batch.length;
  }
  await analyzeTables(context.deps, count);
  context.progress("done", total, total);
});

/** The cards of each list in their order. */
function stretchesOf(cards: SourceCard[]): Stretch[] {
  const byList = new Map<string, Stretch>();
  for (const card of cards) {
    const stretch = byList.get(card.listId) ?? { cards: [], before: null, after: null };
    byList.set(card.listId, stretch);
    stretch.cards.push(card);
  }
  return [...byList.values()];
}

/** Reads the cards of a document, and writes what precedes them. */
class DocumentReader {
  readonly #writer: Writer;
  readonly #roles: Items["roles"][] = [];
  readonly #mine: string | null;
  readonly #stored: ReadonlyMap<string, StoredFile>;
  readonly #memberIds = new Set<string>();
  readonly #members: Items["members"][] = [];
  #roleIds: Map<string, bigint> | undefined;
  #mapping: MapContext | undefined;

  constructor(writer: Writer, mine: string | null, stored: ReadonlyMap<string, StoredFile>) {
    this.#writer = writer;
    this.#mine = mine;
    this.#stored = stored;
  }

  /** Reads the sections in their order: writes roles, members and boards, and yields cards. */
  async *cards(
    parts: ReturnType<typeof partsOf>,
    advance: (section: string) => void,
  ): AsyncGenerator<SourceCard> {
    for await (const part of parts) {
      if (part.kind !== "section") break;
      forceGc();
      await this.#writer.context.checkAlive();
      const { section, value } = part.section;
      if (section === "roles") this.#roles.push(value);
      else if (section === "members") await this.#takeMember(value);
      else if (section === "boards") await this.#writeBoard(value);
      else if (section === "cards") yield mapCard(value, await this.#mapContext());
      if (section === "boards" || section === "cards") advance(section);
    }
    await this.#writeMembers();
  }

  async #takeMember(member: Items["members"]) {
    this.#memberIds.add(member.publicId);
    this.#members.push(member);
    if (this.#members.length >= membersPerStep) await this.#writeMembers();
  }

  /** Writes the roles and the members that were taken. */
  async #writeMembers() {
    this.#roleIds ??= await writeRoles(this.#writer, this.#roles);
    if (this.#members.length > 0)
      await writeMembers(this.#writer, this.#roleIds, this.#members.splice(0), this.#mine);
  }

  async #writeBoard(board: Items["boards"]) {
    const { members } = await this.#mapContext();
    await writeBoard(this.#writer, mapBoard(board, members, this.#writer.context.skip));
  }

  /** What boards and cards are converted with, after all members are written. */
  async #mapContext(): Promise<MapContext> {
    if (this.#mapping !== undefined) return this.#mapping;
    await this.#writeMembers();
    const { context, identity } = this.#writer;
    const idOf = identity.publicId;
    const members = await findMembers(this.#writer, idOf, this.#memberIds);
    const isMember = (id: string) => this.#memberIds.has(id);
    const { baseUrl } = context.deps;
    this.#mapping = { idOf, isMember, baseUrl, members, files: this.#stored };
    return this.#mapping;
  }
}
