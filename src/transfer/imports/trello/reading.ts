import type { z } from "zod";
import { nameOf } from "../clean.ts";
import { ImportFailure } from "../failure.ts";
import type { Handle, Staging } from "../staging.ts";
import type { Loss } from "../report.ts";
import { loseOrphans } from "./orphans.ts";
import {
  type TrelloBoardShape,
  TrelloCard,
  TrelloChecklist,
  TrelloComment,
  TrelloCustomField,
  TrelloItem,
  TrelloLabel,
  TrelloList,
  TrelloMember,
} from "./shapes.ts";

/** A card that has been put aside, with what belongs to it. */
export type CardEntry = {
  id: string;
  idList: string | null;
  pos: number;
  at: Handle;
  comments: number;
};

/** How many of Trello's actions a board's export holds at most. */
const mostActions = 1_000;
/** What has more is no board of Trello's: it would take memory and hours that others need. */
const mostThings = 1_000_000;
const mostBad = 20_000;
const comments = new Set(["commentCard", "copyCommentCard"]);

/** A board of Trello's while it is read, wherever from: what is small is kept, cards and what hangs on them are put aside. */
export class Reading {
  readonly board: z.infer<typeof TrelloBoardShape> = {
    id: "",
    name: null,
    desc: null,
    closed: false,
  };
  readonly lists: z.infer<typeof TrelloList>[] = [];
  readonly labels = new Map<string, z.infer<typeof TrelloLabel>>();
  readonly members = new Map<string, z.infer<typeof TrelloMember>>();
  readonly customFields = new Map<string, z.infer<typeof TrelloCustomField>>();
  readonly cards = new Map<string, CardEntry>();
  readonly checklistsOf = new Map<string, Handle[]>();
  readonly commentsOf = new Map<string, Handle[]>();
  /** How many things have been read. */
  count = 0;
  #bad = 0;
  #actions = 0;
  readonly #others = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly staging: Staging;
  readonly #lose: (loss: Loss) => void;

  constructor(staging: Staging, lose: (loss: Loss) => void) {
    this.staging = staging;
    this.#lose = lose;
  }

  /** Takes the next thing of a kind, as Trello's field for it is called. */
  take(field: string, value: unknown): void {
    this.count += 1;
    if (this.count > mostThings)
      throw new ImportFailure(`A board has more than ${mostThings} things.`);
    if (field === "lists") this.#keep("list", TrelloList, value, (one) => this.lists.push(one));
    else if (field === "labels")
      this.#keep("label", TrelloLabel, value, (one) => this.labels.set(one.id, one));
    else if (field === "cards") this.#keep("card", TrelloCard, value, (one) => this.#card(one));
    else if (field === "checklists")
      this.#keep("checklist", TrelloChecklist, value, (one) => this.#checklist(one));
    else if (field === "actions") this.#action(value);
    else if (field === "members") {
      const member = TrelloMember.safeParse(value).data;
      if (member !== undefined) this.members.set(member.id, member);
    } else if (field === "customFields") {
      const known = TrelloCustomField.safeParse(value).data;
      if (known !== undefined) this.customFields.set(known.id, known);
      const reason = "There are no custom fields here.";
      this.#lose({
        kind: "customField",
        sourceId: known?.id,
        name: nameOf(known?.name) ?? undefined,
        reason,
      });
    } else if (field === "pluginData" || field === "powerUps") {
      this.#lose({ kind: "powerUp", reason: "What power-ups keep stays at Trello." });
    }
  }

  /** Says what belongs to nothing that is there, and what Trello itself has left out; to be called when everything has been taken. */
  async close(isExport: boolean): Promise<void> {
    await loseOrphans(this, (loss) => (isExport ? this.#refuse(loss) : this.#lose(loss)));
    for (const [type, count] of this.#others) {
      const reason = "The history stays at Trello; what was said in comments comes over.";
      this.#lose({ kind: "action", name: type, count, reason });
    }
    if (!isExport || this.#actions !== mostActions) return;
    for (const card of this.cards.values()) {
      const missing = card.comments - (this.commentsOf.get(card.id)?.length ?? 0);
      const reason = `Trello's export holds the latest ${mostActions} actions of a board only, and these comments are not among them. An import from Trello itself has them.`;
      if (missing > 0) this.#lose({ kind: "comment", sourceId: card.id, count: missing, reason });
    }
    const reason = `The export was cut at ${mostActions} actions: older comments may be missing. An import from Trello itself has them all.`;
    this.#lose({ kind: "export", reason, partly: true });
  }

  #keep<Shape extends z.ZodType<{ id: string }>>(
    kind: string,
    shape: Shape,
    value: unknown,
    keep: (thing: z.infer<Shape>) => void,
  ) {
    const read = shape.safeParse(value);
    if (!read.success) {
      this.#refuse({
        kind,
        name: labelOf(value),
        reason: "It is not what Trello writes, or has no id.",
      });
    } else if (this.#isNew(kind, read.data.id)) keep(read.data);
    else {
      const reason = "Another one of the same id is in the source.";
      this.#refuse({ kind, sourceId: read.data.id, name: labelOf(value), reason });
    }
  }

  #refuse(loss: Loss) {
    this.#bad += 1;
    if (this.#bad > mostBad)
      throw new ImportFailure(`More than ${mostBad} things belong to nothing or are not Trello's.`);
    this.#lose(loss);
  }

  #isNew(kind: string, id: string): boolean {
    const key = `${kind} ${id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #card(card: z.infer<typeof TrelloCard>) {
    const { id, idList, pos, badges } = card;
    card.attachments = this.#distinct("attachment", card.attachments, id);
    this.cards.set(id, { id, idList, pos, at: this.staging.put(card), comments: badges.comments });
  }

  #checklist(checklist: z.infer<typeof TrelloChecklist>) {
    checklist.checkItems = this.#distinct("checklistItem", checklist.checkItems, checklist.id);
    push(this.checklistsOf, checklist.idCard ?? "", this.staging.put(checklist));
  }

  /** Things that lie in another one, each with an id that no other has. */
  #distinct(kind: string, things: unknown[], within: string): unknown[] {
    return things.flatMap((thing, place) => {
      const read = TrelloItem.safeParse(thing).data;
      const id = read?.id ?? `${within}/${place}`;
      if (read !== undefined && this.#isNew(kind, id)) return [{ ...Object(thing), id }];
      const reason =
        read === undefined
          ? "It is not what Trello writes."
          : "Another one of the same id is in the source.";
      this.#refuse({ kind, sourceId: id, name: labelOf(thing), reason });
      return [];
    });
  }

  #action(value: unknown) {
    this.#actions += 1;
    const type = nameOf(
      typeof value === "object" && value !== null && "type" in value ? value.type : null,
    );
    if (!comments.has(type ?? "")) {
      this.#others.set(type ?? "unknown", (this.#others.get(type ?? "unknown") ?? 0) + 1);
    } else {
      this.#keep("comment", TrelloComment, value, (one) =>
        push(this.commentsOf, one.data.card.id, this.staging.put(one)),
      );
    }
  }
}

const push = (map: Map<string, Handle[]>, key: string, handle: Handle) => {
  const there = map.get(key);
  if (there === undefined) map.set(key, [handle]);
  else there.push(handle);
};

/** What a thing of the source can be told by in the report. */
const labelOf = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value
    ? (nameOf(value.name)?.slice(0, 255) ?? undefined)
    : undefined;
