import type { cardName } from "../../../domain/presenters/cards.ts";
import type { EventData } from "../../../contract/event-data.ts";
import type { ImportEvent } from "../../../contract/import-events.ts";
import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import { isVisible } from "../../../kernel/access/visibility.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { ImportContext } from "../job/context.ts";
import type { Outcome, ReportDraft } from "../job/report.ts";
import type { ImportWorkspace } from "../job/target.ts";
import { recordedIdentity, type Identity, type LookUp, type SourceRef } from "./identity.ts";
import type { Members, SourceCard, SourcePerson, StoredFiles } from "./source.ts";

/** What writes the resources of a source. */
export type Writer = {
  context: ImportContext;
  identity: Identity;
  /** The members that people of the source are. */
  members: Members;
  /** An archive has the history of cards, so that events announce only boards and cards. */
  isArchive: boolean;
  /** The board that cards are written to; null when they are of several boards. */
  board: { id: bigint; name: string } | null;
};

/** Writes a source whose ids are recorded. */
export const recordedWriter = (context: ImportContext, members: Members = new Map()): Writer => ({
  context,
  identity: recordedIdentity(context.row),
  members,
  isArchive: false,
  board: null,
});

/** A writer in one transaction. */
export type ImportStep = Writer & {
  tx: UnitOfWork<ImportEvent>;
  report: ReportDraft;
  target: ImportWorkspace;
};

/** Runs one transaction of an import. */
export const importStep = <Result>(
  writer: Writer,
  run: (step: ImportStep) => Promise<Result>,
): Promise<Result> =>
  writer.context.step((tx, report, target) => run({ ...writer, tx, report, target }));

/** The reason for resources that an earlier import created and that are no longer here. */
export const goneSince = "It was imported before and has since been deleted or moved.";

/** The reason for what the starter of an import may not write. */
export const notHeld = (permission: Permission) =>
  `The member who started the import lacks the permission ${permission}.`;

/** SQL: whether the starter of an import may see the board `b`. */
export const visibleToStarter = ({ target: { memberId, may } }: ImportStep): Sql =>
  isVisible({
    memberId: memberId ?? 0n,
    managesWorkspace: may.has("workspace:manage"),
    boardId: null,
  });

/** A time of the source, or null; `now` is that of the import. */
export function dateOfMoment(moment: string | null | undefined, now: Date): Date | null {
  if (moment === null || moment === undefined) return null;
  return moment === "now" ? now : new Date(moment);
}

/** A resource of a source; labels and custom fields have no times there. */
export type SourceResource = { publicId: string; createdAt?: string; updatedAt?: string };

/** The fields that every new row has. */
export const newRow = ({ context, identity, tx, target }: ImportStep, item: SourceResource) => ({
  publicId: identity.publicId(item.publicId),
  workspaceId: target.id,
  createdById: context.row.createdById,
  version: 1,
  createdAt: dateOfMoment(item.createdAt, tx.now) ?? tx.now,
  updatedAt: dateOfMoment(item.updatedAt, tx.now) ?? tx.now,
  deletedAt: null,
});

const texts: ReadonlySet<string> = new Set(
  `name title description comment authorName filename url`.split(" "),
);

/** The bytes of the texts in a row, which count for the text of the day. */
export const textBytes = (row: object): number =>
  Object.entries(row).reduce(
    (sum, [field, value]: [string, unknown]) =>
      texts.has(field) && typeof value === "string" ? sum + Buffer.byteLength(value) : sum,
    0,
  );

/** Emits an event. A source with a history announces boards and cards only, outside the history. */
export function announce<Type extends ImportEvent>(
  { tx, isArchive }: ImportStep,
  type: Type,
  data: EventData<Type>,
): void {
  if (!isArchive) tx.emit(type, data);
  else if (type === "board.created" || type === "card.created")
    tx.emit(type, data, undefined, false);
}

type Ref = { publicId: string; name: string };

/** A card of this service that the source has too: new, or imported before. */
export type WrittenCard = {
  id: bigint;
  boardId: bigint;
  isNew: boolean;
  /** Whether the starter of the import may edit the card. */
  isEditable: boolean;
  /** The card with its list and board, as events name them. */
  eventRefs: { card: ReturnType<typeof cardName>; list: Ref; board: Ref };
  /** Emits the events of the card; called in order when everything is written. */
  events: (() => void)[];
};

/** The permission that the starter of the import lacks to write onto a card, or null. */
export const lacksEdit = ({ isEditable }: WrittenCard) => (isEditable ? null : "card:edit");

/** The cards of a step that are in this service. */
export type Cards = Map<SourceCard, WrittenCard>;

/** A card that this step has inserted. */
export type InsertedCard = { card: SourceCard; row: { id: bigint; publicId: string } };

/** A card that was imported before; this import may have created it. */
export type EarlierCard = InsertedCard & { outcome: Outcome };

/** How an import writes a part of cards. */
export type ImportedPart = {
  /** What of a card is found by its source id. */
  refs?: (card: SourceCard) => SourceRef[];
  /** What of its board a card names: it is found by its source id. */
  names?: (card: SourceCard) => SourceRef[];
  /** The people of the source whom a card names, who may be mapped to members. */
  people?: (card: SourceCard) => SourcePerson[];
  /** What of a card has no source id: its kind in the report, and how many there are. */
  unnamed?: { kind: string; count: (card: SourceCard, members: Members) => number };
  /** Writes what new cards have; `mapped` has members by person. */
  insert?: (
    step: ImportStep,
    cards: InsertedCard[],
    known: LookUp,
    mapped: ReadonlyMap<string, bigint>,
  ) => Promise<void>;
  /** Counts what earlier cards have, which does not change. */
  count?: (step: ImportStep, cards: EarlierCard[], known: LookUp) => Promise<void>;
  /** Writes what cards do not have yet. */
  write?: (step: ImportStep, cards: Cards, known: LookUp, files: StoredFiles) => Promise<void>;
};

/** The reason for what an earlier card has at the source only. */
export const unchangedCard =
  "The labels, members and fields of a card that was imported before do not change.";
