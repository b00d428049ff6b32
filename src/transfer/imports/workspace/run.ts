import { z } from "zod";
import type { Items } from "../../format/workspace.ts";
import { source } from "../job/sources.ts";
import { forceGc } from "../../../platform/force-gc.ts";
import { writeBoard } from "../write/board.ts";
import { maxWeight, weightOf, writeCards } from "../write/cards.ts";
import { storeFiles } from "../write/files.ts";
import type { SourceCard } from "../write/model.ts";
import type { Stretch } from "../write/positions.ts";
import { analyzeTables } from "../write/statistics.ts";
import type { Writer } from "../write/step.ts";
import { filesOf, partsOf } from "../../format/archive-reader.ts";
import { derivedIdentity } from "./derived.ts";
import { copyFrom, storeArchiveFiles, type StoredFile } from "./files.ts";
import { mapBoard } from "./map-board.ts";
import { mapCard, type MapContext } from "./map-card.ts";
import { findMembers, writeMembers, writeRoles } from "./people.ts";
import type { Section } from "../../format/sections.ts";

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
  const stored = await storeArchiveFiles(context, filesOf(await open()), () => advance("files"));
  const identity = derivedIdentity(context.row, seed);
  const importer = new WorkspaceImporter(
    { context, identity, hasHistory: true, board: null },
    {
      mine,
      stored,
    },
  );
  for await (const part of partsOf(await open())) {
    if (part.kind !== "section") break;
    forceGc();
    await context.checkAlive();
    await importer.take(part.section);
    const { section } = part.section;
    if (section === "boards" || section === "cards") advance(section);
  }
  await importer.flush();
  await analyzeTables(context.deps, importer.cardCount);
  context.progress("done", total, total);
});

/** Writes the sections of a document in their order, small items together. */
class WorkspaceImporter {
  cardCount = 0;
  readonly #writer: Writer;
  readonly #mine: string | null;
  readonly #stored: ReadonlyMap<string, StoredFile>;
  readonly #memberIds = new Set<string>();
  readonly #roles: Items["roles"][] = [];
  #roleIds: Map<string, bigint> | undefined;
  #members: Items["members"][] = [];
  #mapping: MapContext | undefined;
  #cards: SourceCard[] = [];
  /** The names of files, by the source ids of their attachments. */
  #fileNames = new Map<string, string>();
  #weight = 0;

  constructor(
    writer: Writer,
    { mine, stored }: { mine: string | null; stored: ReadonlyMap<string, StoredFile> },
  ) {
    this.#writer = writer;
    this.#mine = mine;
    this.#stored = stored;
  }

  async take(part: Section): Promise<void> {
    if (part.section === "roles") this.#roles.push(part.value);
    else if (part.section === "members") {
      this.#memberIds.add(part.value.publicId);
      this.#members.push(part.value);
      if (this.#members.length >= membersPerStep) await this.flush();
    } else if (part.section === "boards") {
      await this.flush();
      const { members } = await this.#mapContext();
      const { pending } = this.#writer.context;
      await writeBoard(
        this.#writer,
        mapBoard(part.value, members, (one) => pending.skip(one)),
      );
    } else if (part.section === "cards") await this.#takeCard(part.value);
  }

  /** Writes what was taken. */
  async flush(): Promise<void> {
    if (this.#roleIds === undefined && this.#roles.length > 0)
      this.#roleIds = await writeRoles(this.#writer, this.#roles);
    if (this.#members.length > 0) {
      const roleIds = this.#roleIds ?? new Map<string, bigint>();
      await writeMembers(this.#writer, roleIds, this.#members.splice(0), this.#mine);
    }
    if (this.#cards.length > 0) await this.#writeCards(this.#cards.splice(0));
    await this.#writer.context.flush();
  }

  async #takeCard(value: Items["cards"]) {
    if (this.cardCount++ === 0) await this.flush();
    const card = mapCard(value, await this.#mapContext());
    const weight = weightOf(card);
    if (this.#weight > 0 && this.#weight + weight > maxWeight) await this.flush();
    this.#cards.push(card);
    this.#weight += weight;
    for (const { publicId, file } of value.attachments)
      if (file !== null && this.#stored.has(file)) this.#fileNames.set(publicId, file);
  }

  async #writeCards(cards: SourceCard[]) {
    const names = this.#fileNames;
    this.#weight = 0;
    this.#fileNames = new Map();
    const copy = copyFrom(this.#writer.context, this.#stored, names);
    await storeFiles(this.#writer, cards, ({ sourceId }) => names.has(sourceId), copy);
    const byList = new Map<string, Stretch>();
    for (const card of cards) {
      const stretch = byList.get(card.listId) ?? { cards: [], before: null, after: null };
      byList.set(card.listId, stretch);
      stretch.cards.push(card);
    }
    await writeCards(this.#writer, [...byList.values()]);
  }

  /** What cards are converted with; complete after the members are written. */
  async #mapContext(): Promise<MapContext> {
    if (this.#mapping !== undefined) return this.#mapping;
    const { context, identity } = this.#writer;
    const idOf = identity.publicId;
    const members = await findMembers(this.#writer, idOf, this.#memberIds);
    const isMember = (id: string) => this.#memberIds.has(id);
    const { baseUrl } = context.deps;
    this.#mapping = { idOf, isMember, baseUrl, members, files: this.#stored };
    return this.#mapping;
  }
}
