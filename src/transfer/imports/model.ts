import type { Person } from "./people.ts";
import type { Loss } from "./report.ts";

/** A board of a source in our terms: every text within our bounds, every moment as ISO 8601. */
export type SourceBoard = {
  sourceId: string;
  name: string;
  description: string | null;
  isArchived: boolean;
  createdAt: string | null;
  /** In their order. */
  lists: SourceList[];
  labels: SourceLabel[];
};

export type SourceList = {
  sourceId: string;
  name: string;
  isArchived: boolean;
  createdAt: string | null;
};

export type SourceLabel = { sourceId: string; name: string; colourCode: string | null };

/** A card with all that hangs on it. */
export type SourceCard = {
  sourceId: string;
  /** The list that it lies in, by its id at the source. */
  listId: string;
  title: string;
  description: string | null;
  startDate: string | null;
  dueDate: string | null;
  isComplete: boolean;
  isArchived: boolean;
  createdAt: string | null;
  labelIds: string[];
  people: Person[];
  checklists: SourceChecklist[];
  comments: SourceComment[];
  attachments: SourceAttachment[];
  /** What does not come over whole of it, told when it does. */
  lost: Loss[];
};

export type SourceChecklist = { sourceId: string; name: string; items: SourceItem[] };

export type SourceItem = {
  sourceId: string;
  title: string;
  isComplete: boolean;
  dueDate: string | null;
  person: Person | null;
};

export type SourceComment = {
  sourceId: string;
  comment: string;
  createdAt: string | null;
  author: Person | null;
  authorName: string;
};

/** A link; or a file that has been fetched already. */
export type SourceAttachment = {
  sourceId: string;
  filename: string;
  url: string;
  createdAt: string | null;
  /** What the source itself keeps of it, to be fetched there. */
  upload?: { card: string; fileName: string } | undefined;
  fetched?: Fetched | undefined;
};

/** A file of a source that lies in our storage. */
export type Fetched = { storageKey: string; contentType: string; size: number; sha256: string };
