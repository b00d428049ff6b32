import type { cardFields } from "../../../contract/fields/card.ts";
import type { listFields } from "../../../contract/fields/list.ts";
import type { ReadIn } from "../../../contract/fields/field.ts";
import type { CustomField } from "../../../platform/db/rows.ts";
import type { ReportIssue } from "../job/report.ts";

/** A member of the workspace. */
export type MappedMember = { id: bigint; publicId: string };
/** A person of a source, who may be mapped to a member. */
export type SourcePerson = { sourceId: string; name: string };

/** A moment as ISO 8601, or `now` for the moment of the import. */
export type SourceMoment = string;

/** What every resource of a source has: its id there, and its moments where they are known. */
export type SourceItem = {
  sourceId: string;
  createdAt?: string | null;
  updatedAt?: string | null;
};

/** A board of a source: every text within our limits. */
export type SourceBoard = SourceItem & {
  name: string;
  description: string | null;
  archivedAt: SourceMoment | null;
  slug?: string;
  type?: "regular" | "template";
  visibility?: "private" | "restricted" | "public";
  /** The members that are added to the board; without it the starter of the import is. */
  memberIds?: bigint[];
  /** In their order. */
  lists: SourceList[];
  labels: SourceLabel[];
  /** In their order. */
  fields?: SourceField[];
};

type ListFields = ReadIn<typeof listFields, "export">;
export type SourceList = SourceItem & Pick<ListFields, "name" | "archivedAt"> & Partial<ListFields>;

export type SourceLabel = SourceItem & { name: string; colourCode: string | null };

/** A custom field with its options, in their order. */
export type SourceField = SourceItem & {
  name: string;
  type: CustomField["type"];
  unit?: string | null;
  isShownOnCard: boolean;
  options: (SourceItem & { name: string; colourCode: string | null })[];
};

/** The value of a field, in the property of its type; `options` are source ids. */
export type SourceValue = {
  /** The source id of its field. */
  fieldId: string;
  text?: string;
  number?: number;
  date?: SourceMoment;
  checked?: boolean;
  options?: string[];
  member?: MappedMember;
  /** What the report says of it, such as `Size: L`. */
  detail?: string;
};

/** A card with everything on it. */
export type SourceCard = SourceItem &
  ReadIn<typeof cardFields, "export"> & {
    /** The source id of its list. */
    listId: string;
    /** Its number and its former numbers; without them it gets the next number. */
    number?: number;
    aliases?: number[];
    labelIds: string[];
    /** The members on it, and the people of the source on it. */
    members: MappedMember[];
    people: SourcePerson[];
    checklists: SourceChecklist[];
    comments: SourceComment[];
    attachments: SourceAttachment[];
    fields?: SourceValue[];
    history?: SourceEvent[];
    /** What is not imported of it; reported when the card is written. */
    issues: ReportIssue[];
  };

export type SourceChecklist = SourceItem & { name: string; items: SourceChecklistItem[] };

export type SourceChecklistItem = SourceItem & {
  title: string;
  completedAt: SourceMoment | null;
  dueDate: string | null;
  person: MappedMember | null;
  /** The assignee at the source, who may be mapped to a member later. */
  assignee?: SourcePerson | null;
};

/** A comment. Its author is a name only: a source proves nothing about accounts. */
export type SourceComment = SourceItem & {
  comment: string;
  authorId: string | null;
  authorName: string | null;
  isEdited?: boolean;
};

/** A link, or a file: then `file` is set. */
export type SourceAttachment = SourceItem & {
  filename: string;
  url: string | null;
  /** The type of the link's target, where it is known. */
  contentType?: string;
  file: SourceFile | null;
  /** The name of the file at the source, where it can be fetched. */
  fileName?: string | undefined;
};

/** A file of a source; without a storage key only its description is imported. */
export type SourceFile = {
  storageKey: string | null;
  contentType: string;
  size: number | null;
  sha256: string | null;
};

/** An entry in the history of a card. */
export type SourceEvent = {
  publicId: string;
  type: string;
  actorType: string;
  actorPublicId: string | null;
  actorName: string;
  data: Record<string, unknown>;
  changes: Record<string, unknown> | null;
  createdAt: string;
};
