import { z } from "zod";
import { ImportFailure } from "../job/failure.ts";
import type { ReportIssue } from "../job/report.ts";
import type { Handle, Staging } from "../../../platform/storage/staging.ts";
import { detached, nameOf } from "../../../platform/foreign-text.ts";
import type { Skip } from "../write/limits.ts";
import { LabelReader } from "./labels.ts";
import { TrelloTimes } from "./times.ts";
import * as shapes from "../../integrations/trello/shapes.ts";

/** A staged card, with what sorting needs. */
export type CardEntry = {
  id: string;
  idList: string | null;
  pos: number;
  at: Handle;
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
});

/** No board at Trello has more; reading more would take memory and time from other requests. */
const maxResources = 1_000_000;
const maxInvalid = 20_000;
/** The kinds that stay in memory, and the most of each: Trello allows a quarter of it. */
const inMemory = new Set(["lists", "labels", "members", "customFields"]);
const maxInMemory = 20_000;
/** The actions that are comments. */
export const commentTypes = new Set(["commentCard", "copyCommentCard"]);
const unknownShape = "It does not have the format that Trello writes.";
const repeated = "The source contains another one with the same id.";

/** Collects a board from Trello's file or API. Cards and what is on them are staged on disk. */
export class BoardReader {
  readonly lists: z.infer<typeof shapes.TrelloList>[] = [];
  readonly labels = new LabelReader();
  readonly times = new TrelloTimes();
  readonly members = new Map<string, shapes.TrelloMember>();
  readonly customFields = new Map<string, z.infer<typeof shapes.TrelloCustomField>>();
  readonly cards = new Map<string, CardEntry>();
  readonly checklistsOf = new Map<string, Handle[]>();
  readonly commentsOf = new Map<string, Handle[]>();
  /** What is not read of cards; it is reported with its card. */
  readonly issuesOf = new Map<string, ReportIssue[]>();
  /** How many resources were read, with the parts of cards and checklists. */
  count = 0;
  /** How many actions were read, and how many of them are no comments. */
  actions = 0;
  history = 0;
  readonly staging: Staging;
  readonly skip: Skip;
  readonly #ids = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** What cards have in themselves: the board may repeat it. */
  readonly #embedded = new Set<string>();
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
      lists: (one) => this.#add("list", shapes.TrelloList, one, (list) => this.lists.push(list)),
      labels: (one) => this.#label(one),
      cards: (one) => this.#add("card", shapes.TrelloCard, one, (card) => this.#card(card)),
      checklists: (one) =>
        this.#add("checklist", shapes.TrelloChecklist, one, (list) => this.#checklist(list)),
      actions: (one) => this.#action(one),
      members: (one) => this.#member(one),
      customFields: (one) => this.#customField(one),
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
    add: (resource: z.infer<Shape>) => void,
  ) {
    const { data } = shape.safeParse(value);
    const name = labelOf(value);
    if (data === undefined) this.skipInvalid({ kind, name, reason: unknownShape });
    // The board repeats what its cards have.
    else if (this.#embedded.delete(data.id)) return;
    else if (this.#isNew(kind, data.id)) add(data);
    else this.skipInvalid({ kind, sourceId: data.id, name, reason: repeated });
  }

  /** Skips what is invalid, with its card when it is on one; an import fails at too many. */
  skipInvalid(issue: ReportIssue, cardId: string | null = null): void {
    this.#invalid += 1;
    if (this.#invalid > maxInvalid)
      throw new ImportFailure(`More than ${maxInvalid} resources are invalid or have no parent.`);
    if (cardId === null) this.skip(issue);
    else append(this.issuesOf, cardId, issue);
  }

  #isNew(kind: string, id: string): boolean {
    const size = this.#ids.size;
    return this.#ids.add(`${kind} ${id}`).size > size;
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
    const labels = [...card.idLabels, ...card.labels];
    card.idLabels = labels.flatMap((one) => this.labels.addEmbedded(one) ?? []);
    card.idMembers = [...card.idMembers, ...members];
    for (const member of members) this.#embeddedMember(member);
    for (const one of checklists) this.#onCard(one, "checklist", { idCard: id });
    for (const one of actions) this.#actionOfCard(one, id);
    const checklistIds = shapes.idsOf(card.idChecklists);
    Object.assign(card, { labels: [], members: [], checklists: [], actions: [] });
    const counts = { comments, attachments, attachmentCount, hasLink, checklistIds };
    this.cards.set(id, { id, idList, pos, at: this.staging.put(card), ...counts });
  }

  /** Takes a checklist on a card, unless the board has it too. */
  #onCard(value: unknown, kind: "checklist", parent: { idCard: string }) {
    this.#countMore(1);
    const one = { ...Object(value), ...parent };
    const { data } = shapes.TrelloChecklist.safeParse(one);
    const isSame = data !== undefined && this.hasRead(kind, data.id);
    if (!isSame) this.#add(kind, shapes.TrelloChecklist, one, (list) => this.#checklist(list));
    if (data !== undefined) this.#embedded.add(data.id);
  }

  /** Takes an action on a card, unless the board has it too. */
  #actionOfCard(value: unknown, cardId: string) {
    this.#countMore(1);
    const { data = {}, ...action } = Object(value);
    const one = { ...action, data: { card: { id: cardId }, ...data } };
    const id = shapes.idsOf([one])[0];
    if (id === undefined || this.hasRead("comment", id)) return;
    this.#take(one);
    this.#embedded.add(id);
  }

  /** Whether a resource with this id was read. */
  hasRead(kind: string, id: string): boolean {
    return this.#ids.has(`${kind} ${id}`);
  }

  #checklist(checklist: shapes.TrelloChecklist) {
    const { id, idCard, checkItems } = checklist;
    checklist.checkItems = this.#distinct("checklistItem", checkItems, id, idCard);
    append(this.checklistsOf, idCard ?? "", this.staging.put(checklist));
  }

  #customField(value: unknown) {
    const field = shapes.TrelloCustomField.safeParse(value).data;
    if (field !== undefined) {
      this.#countMore(field.options.length);
      this.customFields.set(field.id, field);
    }
    const name = nameOf(field?.name);
    const reason = "Custom fields are not supported.";
    this.skip({ kind: "customField", sourceId: field?.id, name, reason });
  }

  #powerUp() {
    this.skip({ kind: "powerUp", reason: "Data of power-ups stays at Trello." });
  }

  /** Parts of a resource, each with an id that no other part has. */
  #distinct(kind: string, parts: unknown[], parentId: string, cardId: string | null): unknown[] {
    this.#countMore(parts.length);
    return parts.flatMap((part, index) => {
      const read = shapes.TrelloItem.safeParse(part).data;
      const id = read?.id ?? `${parentId}/${index}`;
      if (read !== undefined && this.#isNew(kind, id)) return [{ ...Object(part), id }];
      const reason = read === undefined ? unknownShape : repeated;
      this.skipInvalid({ kind, sourceId: id, name: labelOf(part), reason }, cardId);
      return [];
    });
  }

  #action(value: unknown) {
    this.actions += 1;
    if (!this.#take(value)) this.history += 1;
  }

  /** Takes what is imported of an action; false when it is no comment. */
  #take(value: unknown): boolean {
    const { type, memberCreator, member } = Typed.safeParse(value).data ?? {};
    this.times.note(value);
    for (const one of [memberCreator, member]) this.#embeddedMember(one);
    if (!commentTypes.has(nameOf(type) ?? "")) return false;
    this.#add("comment", shapes.TrelloComment, value, (comment) =>
      append(this.commentsOf, comment.data.card.id, this.staging.put(comment)),
    );
    return true;
  }
}

/** The name of a resource in the report. */
function labelOf(value: unknown): string | undefined {
  const name = nameOf(Named.safeParse(value).data?.name);
  return name === null ? undefined : detached(name, 255);
}

/** Appends a value to the list of a key. */
export function append<Value>(map: Map<string, Value[]>, key: string, value: Value) {
  const existing = map.get(key);
  if (existing === undefined) map.set(key, [value]);
  else existing.push(value);
}
