import { fullMessage, type Limits } from "../../contract/limits.ts";
import type { AnyPart } from "../../contract/fields/part.ts";
import { boardParts } from "../../contract/resources/board-parts.ts";
import { cardParts } from "../../domain/parts/card.ts";
import { badRequest } from "../../platform/errors.ts";
import { emptyCounts, type DocumentCounts } from "./counts.ts";
import type { Head, Items } from "./workspace.ts";
import type { Section } from "./sections.ts";

const invalid = (message: string, path?: Path) => badRequest("document_invalid", message, path);

/** The most resources with an id: their ids are in memory. */
const maxIds = 5_000_000;

type Path = (string | number)[];
type Board = Items["boards"];
type Card = Items["cards"];

/** What a check learns about a valid document. */
export type Checked = {
  head: Head["workspace"];
  counts: DocumentCounts;
  lastCardNumber: number;
  /** The member of the document who imports it. */
  mine: string | null;
  /** The names of the files in an archive, and how many attachments have each. */
  files: ReadonlyMap<string, number>;
};

/** Checks that a document is consistent: unique ids, valid references, no limit exceeded. */
export class Check {
  readonly #email: string;
  readonly #limits: Limits;
  readonly #ids = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #emails = new Set<string>();
  readonly #boardOf = new Map<string, string>();
  readonly #cardsOn = new Map<string, number>();
  readonly #numbers = new Set<number>();
  readonly #files = new Map<string, number>();
  readonly #counts = emptyCounts();
  #head: Head["workspace"] | undefined;
  #lastCardNumber = 0;
  #mine: string | null = null;

  constructor({ email, limits }: { email: string; limits: Limits }) {
    this.#email = email;
    this.#limits = limits;
  }

  /** Checks the next section; 400 when it contradicts earlier ones. */
  take(part: Section): void {
    if (part.section === "workspace") {
      this.#head = part.value;
      this.#lastCardNumber = part.value.lastCardNumber;
    } else if (part.section === "roles") this.#role(part.value, ["roles", part.index]);
    else if (part.section === "members") this.#member(part.value, ["members", part.index]);
    else if (part.section === "boards") this.#board(part.value, ["boards", part.index]);
    else if (part.section === "views") this.#view(part.value, ["views", part.index]);
    else if (part.section === "cards") this.#card(part.value, ["cards", part.index]);
    else if (part.section === "counts") this.#compare(part.value);
  }

  /** Returns the result after the last section. */
  end(): Checked {
    if (this.#head === undefined) throw invalid("The document has no workspace.");
    return {
      head: this.#head,
      counts: this.#counts,
      lastCardNumber: this.#lastCardNumber,
      mine: this.#mine,
      files: this.#files,
    };
  }

  #role({ publicId, name, isSystem }: Items["roles"], path: Path) {
    if (++this.#counts.roles > this.#limits.roles)
      throw invalid(fullMessage(this.#limits, "roles"), ["roles"]);
    this.#note("role", publicId, path);
    const lowerName = name.toLowerCase();
    if (isSystem !== systemNames.has(name))
      throw invalid("The system roles are admin, member and guest.", [...path, "isSystem"]);
    if (this.#names.has(lowerName)) throw invalid("Another role has this name.", [...path, "name"]);
    this.#names.add(lowerName);
  }

  #member({ publicId, rolePublicId, email }: Items["members"], path: Path) {
    if (++this.#counts.members > this.#limits.members)
      throw invalid(fullMessage(this.#limits, "members"), ["members"]);
    this.#note("member", publicId, path);
    this.#expect("role", rolePublicId, [...path, "rolePublicId"]);
    if (email === null) return;
    if (this.#emails.has(email))
      throw invalid("Another member has this email address.", [...path, "email"]);
    this.#emails.add(email);
    if (email === this.#email) this.#mine = publicId;
  }

  #board(board: Board, path: Path) {
    if (++this.#counts.boards > this.#limits.boards)
      throw invalid(fullMessage(this.#limits, "boards"), ["boards"]);
    this.#note("board", board.publicId, path);
    this.#expectAll("member", board.memberPublicIds, [...path, "memberPublicIds"]);
    if (board.fields.length > this.#limits.fields)
      throw invalid(fullMessage(this.#limits, "fields"), [...path, "fields"]);
    const counts: Record<string, number> = this.#counts;
    const sections = new Map<string, unknown>(Object.entries(board));
    for (const [name, part] of Object.entries<AnyPart>(boardParts)) {
      const items = sections.get(name);
      if (!Array.isArray(items)) continue;
      for (const count of part.counted ?? []) counts[count] = (counts[count] ?? 0) + items.length;
      for (const { publicId } of items) this.#boardOf.set(publicId, board.publicId);
      this.#resources(name, items, [...path, name]);
    }
  }

  #view({ publicId, boardPublicId, ownerPublicId }: Items["views"], path: Path) {
    if (++this.#counts.views > this.#limits.views + this.#limits.private_views)
      throw invalid(fullMessage(this.#limits, "views"), ["views"]);
    this.#note("view", publicId, path);
    if (boardPublicId !== null) this.#expect("board", boardPublicId, [...path, "boardPublicId"]);
    if (ownerPublicId !== null) this.#expect("member", ownerPublicId, [...path, "ownerPublicId"]);
    if (boardPublicId !== null && ownerPublicId !== null)
      throw invalid("A private view is of no board.", [...path, "boardPublicId"]);
  }

  #card(card: Card, path: Path) {
    const { publicId, listPublicId, number, aliases } = card;
    this.#counts.cards++;
    this.#note("card", publicId, path);
    this.#expect("lists", listPublicId, [...path, "listPublicId"]);
    this.#expectAll("labels", card.labelPublicIds, [...path, "labelPublicIds"]);
    this.#expectAll("member", card.memberPublicIds, [...path, "memberPublicIds"]);
    const board = this.#boardOf.get(listPublicId) ?? "";
    if (card.labelPublicIds.some((label) => this.#boardOf.get(label) !== board))
      throw invalid("The label belongs to another board.", [...path, "labelPublicIds"]);
    for (const [index, { fieldPublicId }] of card.fields.entries()) {
      if (this.#boardOf.get(fieldPublicId) !== board)
        throw invalid("The board has no such field.", [...path, "fields", index]);
    }
    const cards = (this.#cardsOn.get(board) ?? 0) + 1;
    if (cards > this.#limits.cards) throw invalid(fullMessage(this.#limits, "cards"), path);
    this.#cardsOn.set(board, cards);
    for (const usedNumber of [number, ...aliases]) {
      if (this.#numbers.has(usedNumber))
        throw invalid(`The number ${usedNumber} is used twice.`, path);
      this.#numbers.add(usedNumber);
      this.#lastCardNumber = Math.max(this.#lastCardNumber, usedNumber);
    }
    this.#parts(card, path);
  }

  /** Checks the parts of a card: unique ids, and members that are there. */
  #parts(card: Card, path: Path) {
    const counts: Record<string, number> = this.#counts;
    counts["activity"] = (counts["activity"] ?? 0) + card.activity.length;
    for (const [name, { rows }] of Object.entries(cardParts)) {
      const partValue: unknown = Object.entries(card).find(([key]) => key === name)?.[1];
      if (rows === undefined || !Array.isArray(partValue)) continue;
      const partCounts = { [name]: partValue.length, ...rows.within?.(partValue) };
      for (const [count, value] of Object.entries(partCounts))
        counts[count] = (counts[count] ?? 0) + value;
      this.#resources(name, partValue, [...path, name]);
    }
    for (const [index, { publicId, file, sha256 }] of card.attachments.entries()) {
      if (file === null) continue;
      if (file !== `files/${sha256 ?? publicId}`)
        throw invalid("Must be files/ and the SHA-256, or the id when there is no SHA-256.", [
          ...path,
          "attachments",
          index,
          "file",
        ]);
      this.#files.set(file, (this.#files.get(file) ?? 0) + 1);
    }
  }

  /** Checks the ids in a value and within it. */
  #resources(kind: string, value: unknown, path: Path) {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#resources(kind, item, [...path, index]);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, entry] of Object.entries<unknown>({ ...value })) {
        const at = [...path, key];
        if (typeof entry !== "string") this.#resources(`${kind} ${key}`, entry, at);
        else if (key === "publicId") this.#note(kind, entry, path);
        else if (key === "memberPublicId") this.#expect("member", entry, at);
      }
    }
  }

  #compare(counts: DocumentCounts) {
    const declared = new Map(Object.entries(counts));
    for (const [kind, count] of Object.entries(this.#counts)) {
      if (declared.get(kind) !== count)
        throw invalid(`The document contains ${count}.`, ["counts", kind]);
    }
  }

  #note(kind: string, id: string, path: Path) {
    if (this.#ids.has(id)) throw invalid("Another resource has this id.", [...path, "publicId"]);
    if (this.#ids.size >= maxIds)
      throw invalid(`The document has more than ${maxIds} resources.`, path);
    this.#ids.set(id, kind);
  }

  #expect(kind: string, id: string, path: Path) {
    if (this.#ids.get(id) !== kind)
      throw invalid("The document contains no such resource before this.", path);
  }

  #expectAll(kind: string, ids: string[], path: Path) {
    for (const id of ids) this.#expect(kind, id, path);
    if (new Set(ids).size !== ids.length) throw invalid("An id is repeated.", path);
  }
}

const systemNames = new Set(["admin", "member", "guest"]);
