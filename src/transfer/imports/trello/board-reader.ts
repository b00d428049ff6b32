import { z } from "zod";
import { ImportFailure } from "../job/failure.ts";
import type { ReportIssue } from "../job/report.ts";
import type { Handle, Staging } from "../../../platform/storage/staging.ts";
import { detached, nameOf } from "../../../platform/foreign-text.ts";
import type { Skip } from "../write/limits.ts";
import * as shapes from "../../integrations/trello/shapes.ts";

/** A staged card, with what sorting needs. */
export type CardEntry = {
  id: string;
  idList: string | null;
  pos: number;
  at: Handle;
  comments: number;
  hasLink: boolean;
};

const Named = z.object({ name: z.unknown() });
const Typed = z.object({ type: z.unknown() });

/** No board at Trello has more; reading more would take memory and time from other requests. */
const maxResources = 1_000_000;
const maxInvalid = 20_000;
/** The kinds that stay in memory, and the most of each: Trello allows a quarter of it. */
const inMemory = new Set(["lists", "labels", "members", "customFields"]);
const maxInMemory = 20_000;
const commentTypes = new Set(["commentCard", "copyCommentCard"]);
const unknownShape = "It does not have the format that Trello writes.";
const repeated = "The source contains another one with the same id.";

/** Collects a board from Trello's file or API. Cards and what is on them are staged on disk. */
export class BoardReader {
  readonly lists: z.infer<typeof shapes.TrelloList>[] = [];
  readonly labels = new Map<string, z.infer<typeof shapes.TrelloLabel>>();
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
      labels: (one) =>
        this.#add("label", shapes.TrelloLabel, one, (label) => this.labels.set(label.id, label)),
      cards: (one) => this.#add("card", shapes.TrelloCard, one, (card) => this.#card(card)),
      checklists: (one) =>
        this.#add("checklist", shapes.TrelloChecklist, one, (list) => this.#checklist(list)),
      actions: (one) => this.#action(one),
      members: (one) => {
        const member = shapes.TrelloMember.safeParse(one).data;
        if (member !== undefined) this.members.set(member.id, member);
      },
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

  #card(card: shapes.TrelloCard) {
    const { id, idList, pos, badges } = card;
    const hasLink = nameOf(card.shortLink) !== null;
    card.attachments = this.#distinct("attachment", card.attachments, id, id);
    const { comments } = badges;
    this.cards.set(id, { id, idList, pos, at: this.staging.put(card), comments, hasLink });
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
    if (!commentTypes.has(nameOf(Typed.safeParse(value).data?.type) ?? "")) {
      this.history += 1;
      return;
    }
    this.#add("comment", shapes.TrelloComment, value, (comment) =>
      append(this.commentsOf, comment.data.card.id, this.staging.put(comment)),
    );
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
