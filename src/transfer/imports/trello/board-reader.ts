import { z } from "zod";
import { ImportFailure } from "../job/failure.ts";
import type { ReportIssue } from "../job/report.ts";
import type { Staged, Staging } from "../../../platform/storage/staging.ts";
import { detached, nameOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { repeated, type Skip } from "../write/limits.ts";
import { unknownMember } from "../write/source-parts.ts";
import type { SourcePerson } from "../write/source.ts";
import { AttachedCards } from "./attached-cards.ts";
import { LabelReader } from "./labels.ts";
import { TrelloTimes } from "./times.ts";
import * as shapes from "../../integrations/trello/shapes.ts";
import { getOrInsert } from "../../../platform/maps.ts";

/** A staged card, with what sorting needs. */
export type CardEntry = {
  id: string;
  idList: string | null;
  pos: number;
  at: Staged;
  comments: number;
  attachments: number;
  attachmentCount: number;
  hasLink: boolean;
  /** The checklists that the card names. */
  checklistIds: string[];
};

const Named = z.object({ name: z.unknown() });
const Typed = z.object({
  type: z.unknown(),
  memberCreator: z.unknown().optional(),
  member: z.unknown().optional(),
  data: z
    .object({ list: z.unknown(), listBefore: z.unknown(), listAfter: z.unknown() })
    .partial()
    .optional()
    .catch(undefined),
});
/** Where the source has a resource: in a list of the board, or in another resource. */
type Place = "top" | "inside";

/** No board at Trello has more; reading more would take memory and time from other requests. */
const maxResources = 1_000_000;
const maxInvalid = 20_000;
/** The kinds that stay in memory, and the most of each: Trello allows a quarter of it. */
const inMemory = new Set(["lists", "labels", "members", "customFields"]);
const maxInMemory = 20_000;
/** The actions that are comments. */
export const commentTypes = new Set(["commentCard", "copyCommentCard"]);
const unknownShape = "It does not have the format that Trello writes.";
const onlyNamed = {
  severity: "partial",
  reason: "Only actions name it: its place, and whether it is archived, are not in the source.",
} as const;

/** Collects a board from Trello's file or API. Cards and what is on them are staged on disk. */
export class BoardReader {
  readonly lists: shapes.TrelloList[] = [];
  /** The lists that actions name. */
  readonly namedLists = new Map<string, shapes.TrelloList>();
  readonly labels = new LabelReader();
  readonly times = new TrelloTimes();
  readonly attachedCards = new AttachedCards();
  readonly members = new Map<string, shapes.TrelloMember>();
  readonly customFields = new Map<string, shapes.TrelloCustomField>();
  readonly cards = new Map<string, CardEntry>();
  readonly checklistsOf = new Map<string, Staged[]>();
  readonly commentsOf = new Map<string, Staged[]>();
  /** What is not read of cards; it is reported with its card. */
  readonly issuesOf = new Map<string, ReportIssue[]>();
  /** How many resources were read, with the parts of cards and checklists. */
  count = 0;
  /** How many actions were read, and how many of them are no comments. */
  actions = 0;
  history = 0;
  readonly staging: Staging;
  readonly skip: Skip;
  /** What was read, by its place: lists and cards may have in themselves what the board has. */
  readonly #ids = { top: new Set<string>(), inside: new Set<string>() };
  readonly #counts = new Map<string, number>();
  #invalid = 0;

  constructor(staging: Staging, skip: Skip) {
    this.staging = staging;
    this.skip = skip;
  }

  /** Takes the next resource, with the name of Trello's field for its kind. */
  take(field: string, value: unknown): void {
    this.#countMore(1);
    const count = (this.#counts.get(field) ?? 0) + 1;
    this.#counts.set(field, count);
    if (inMemory.has(field) && count > maxInMemory)
      throw new ImportFailure(`The board has more than ${maxInMemory} ${field}.`);
    const readers: Record<string, (value: unknown) => void> = {
      lists: (rawList) => this.#add("list", shapes.TrelloList, rawList, (list) => this.#list(list)),
      labels: (label) => this.#label(label),
      cards: (card) => this.#takeCard(card),
      checklists: (checklist) => this.#takeChecklist(checklist),
      actions: (action) => this.#action(action),
      members: (member) => this.#member(member),
      customFields: (customField) => this.#customField(customField),
      pluginData: () => this.#powerUp(),
      powerUps: () => this.#powerUp(),
    };
    readers[field]?.(value);
  }

  #countMore(count: number) {
    this.count += count;
    if (this.count > maxResources)
      throw new ImportFailure(`The board has more than ${maxResources} resources.`);
  }

  #add<Shape extends z.ZodType<{ id: string }>>(
    kind: string,
    shape: Shape,
    value: unknown,
    store: (resource: z.infer<Shape>) => void,
    place: Place = "top",
  ) {
    const { data } = shape.safeParse(value);
    const name = labelOf(value);
    if (data === undefined) return this.skipInvalid({ kind, name, reason: unknownShape });
    const isKnown = this.hasRead(kind, data.id);
    if (!this.#isNew(kind, data.id, place))
      this.skipInvalid({ kind, sourceId: data.id, name, reason: repeated });
    else if (!isKnown) store(data);
  }

  /** Skips what is invalid, with its card when it is on one; an import fails at too many. */
  skipInvalid(issue: ReportIssue, cardId: string | null = null): void {
    this.#invalid += 1;
    if (this.#invalid > maxInvalid)
      throw new ImportFailure(`More than ${maxInvalid} resources are invalid or have no parent.`);
    if (cardId === null) this.skip(issue);
    else append(this.issuesOf, cardId, issue);
  }

  #isNew(kind: string, id: string, place: Place): boolean {
    const { size } = this.#ids[place];
    return this.#ids[place].add(`${kind} ${id}`).size > size;
  }

  /** Takes a list, with the cards that it has in itself. */
  #list({ cards, ...list }: shapes.TrelloList) {
    this.lists.push({ ...list, cards: [] });
    this.#countMore(cards.length);
    for (const card of cards) this.#takeCard({ idList: list.id, ...Object(card) }, "inside");
  }

  #takeCard(value: unknown, place?: Place) {
    this.#add("card", shapes.TrelloCard, value, (card) => this.#card(card), place);
  }

  #takeChecklist(value: unknown, place?: Place) {
    this.#add(
      "checklist",
      shapes.TrelloChecklist,
      value,
      (checklist) => this.#checklist(checklist),
      place,
    );
  }

  #label(value: unknown) {
    const hasId = shapes.TrelloLabel.safeParse(value).success;
    if (!hasId && this.labels.addEmbedded(value) !== null) return;
    this.#add("label", shapes.TrelloLabel, value, (label) => this.labels.add(label));
  }

  #member(value: unknown) {
    const member = shapes.TrelloMember.safeParse(value).data;
    if (member !== undefined) this.members.set(member.id, member);
  }

  /** Takes a person who is named on a card or an action; the board's list has priority. */
  #embeddedMember(value: unknown) {
    const member = shapes.TrelloMember.safeParse(value).data;
    if (member === undefined || this.members.size >= maxInMemory) return;
    if (member.fullName === null && member.username === null) return;
    if (!this.members.has(member.id)) this.members.set(member.id, member);
  }

  #card(card: shapes.TrelloCard) {
    const { id, idList, pos, badges, members, checklists, actions } = card;
    const hasLink = nameOf(card.shortLink) !== null;
    const { attachments: attachmentCount, comments } = badges;
    const attachments = card.attachments.length;
    card.attachments = this.#distinct("attachment", card.attachments, id, id);
    this.attachedCards.take(card);
    const labels = [...card.idLabels, ...card.labels];
    card.idLabels = labels.flatMap((label) => this.#labelOfCard(label, id) ?? []);
    const unreadable = card.idMembers.filter((memberId) => shapes.idsOf([memberId]).length === 0);
    for (const _ of unreadable) this.skipInvalid({ kind: "cardMember", reason: unknownShape }, id);
    card.idMembers = [...card.idMembers, ...members];
    for (const member of members) this.#embeddedMember(member);
    this.#countMore(checklists.length + actions.length);
    for (const checklist of checklists)
      this.#takeChecklist({ ...Object(checklist), idCard: id }, "inside");
    for (const action of actions) this.#actionOfCard(action, id);
    const checklistIds = shapes.idsOf(card.idChecklists);
    Object.assign(card, { labels: [], members: [], checklists: [], actions: [] });
    const counts = { comments, attachments, attachmentCount, hasLink, checklistIds };
    this.cards.set(id, { id, idList, pos, at: this.staging.put(card), ...counts });
  }

  /** Takes a label on a card; returns its id, or null for no label. */
  #labelOfCard(value: unknown, cardId: string): string | null {
    const id = this.labels.addEmbedded(value);
    const issue = { kind: "cardLabel", name: labelOf(value), reason: unknownShape };
    if (id === null) this.skipInvalid(issue, cardId);
    return id;
  }

  /** Takes an action of a card, which need not name the card. */
  #actionOfCard(value: unknown, cardId: string) {
    const { data = {}, ...action } = Object(value);
    this.#take({ ...action, data: { card: { id: cardId }, ...data } }, "inside");
  }

  /** A person at Trello. */
  personOf(sourceId: string): SourcePerson {
    const { fullName, username } = this.members.get(sourceId) ?? {};
    const names = [nameOf(fullName), nameOf(username)?.replace(/^/, "@") ?? null];
    const name = withoutAddresses(names.filter((part) => part !== null).join(" "));
    return { sourceId, name: name || unknownMember };
  }

  /** Whether a resource with this id was read. */
  hasRead(kind: string, id: string): boolean {
    const key = `${kind} ${id}`;
    return this.#ids.top.has(key) || this.#ids.inside.has(key);
  }

  #checklist(checklist: shapes.TrelloChecklist) {
    const { id, idCard, checkItems } = checklist;
    checklist.checkItems = this.#distinct("checklistItem", checkItems, id, idCard);
    append(this.checklistsOf, idCard ?? "", this.staging.put(checklist));
  }

  #customField(value: unknown) {
    this.#add("field", shapes.TrelloCustomField, value, (field) => {
      this.#countMore(field.options.length);
      const options: shapes.TrelloCustomField["options"] = [];
      for (const rawOption of field.options)
        this.#add("fieldOption", shapes.TrelloOption, rawOption, (option) => options.push(option));
      this.customFields.set(field.id, { ...field, options });
    });
  }

  #powerUp() {
    this.skip({ kind: "powerUp", reason: "Data of power-ups stays at Trello." });
  }

  /** Parts of a resource, each with an id that no other part has. */
  #distinct(kind: string, parts: unknown[], parentId: string, cardId: string | null): unknown[] {
    this.#countMore(parts.length);
    return parts.flatMap((part, index) => {
      const item = shapes.TrelloItem.safeParse(part).data;
      const id = item?.id ?? `${parentId}/${index}`;
      if (item !== undefined && this.#isNew(kind, id, "inside")) return [{ ...Object(part), id }];
      const reason = item === undefined ? unknownShape : repeated;
      this.skipInvalid({ kind, sourceId: id, name: labelOf(part), reason }, cardId);
      return [];
    });
  }

  #action(value: unknown) {
    this.actions += 1;
    if (!this.#take(value)) this.history += 1;
  }

  /** Takes what is imported of an action; false when it is no comment. */
  #take(value: unknown, place?: Place): boolean {
    const { type, memberCreator, member, data } = Typed.safeParse(value).data ?? {};
    this.times.note(value);
    for (const namedList of [data?.list, data?.listBefore, data?.listAfter])
      this.#namedList(namedList);
    for (const embedded of [memberCreator, member]) this.#embeddedMember(embedded);
    if (!commentTypes.has(nameOf(type) ?? "")) return false;
    const addComment = (comment: shapes.TrelloComment) =>
      append(this.commentsOf, comment.data.card.id, this.staging.put(comment));
    this.#add("comment", shapes.TrelloComment, value, addComment, place);
    return true;
  }

  /** Keeps a list that an action names: an export may be cut. */
  #namedList(value: unknown) {
    const list = shapes.TrelloList.safeParse(value).data;
    if (list === undefined || list.name === null || this.namedLists.has(list.id)) return;
    if (this.namedLists.size >= maxInMemory) return;
    this.namedLists.set(list.id, { ...list, closed: false, cards: [] });
  }

  /** Adds the lists of cards that only actions name. */
  addNamedLists(): void {
    const ids = new Set([...this.cards.values()].map(({ idList }) => idList ?? ""));
    for (const id of ids) {
      const list = this.hasRead("list", id) ? undefined : this.namedLists.get(id);
      if (list === undefined) continue;
      this.lists.push(list);
      this.skip({ kind: "list", sourceId: id, name: list.name, ...onlyNamed });
    }
  }
}

/** The name of a resource in the report. */
function labelOf(value: unknown): string | undefined {
  const name = nameOf(Named.safeParse(value).data?.name);
  return name === null ? undefined : detached(name, 255);
}

/** Appends a value to the list of a key. */
export const append = <Value>(map: Map<string, Value[]>, key: string, value: Value): unknown =>
  getOrInsert(map, key, () => []).push(value);
