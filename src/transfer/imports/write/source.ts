import type { z } from "zod";
import type { sections } from "../../format/workspace.ts";
import type { ReportIssue } from "../job/report.ts";

/** A member here. */
export type Member = { id: bigint; publicId: string };
/** The members here by the ids that they have at a source. */
export type Members = ReadonlyMap<string, Member>;
/** A person of a source, who may be mapped to a member. */
export type SourcePerson = { sourceId: string; name: string };

type Elements<Name extends "boards" | "cards"> = z.input<(typeof sections)[Name]>[number];
type ArchivedBoard = Elements<"boards">;
type ArchivedCard = Elements<"cards">;

/** What only an archive says. */
type OfArchives = {
  board: "slug" | "type" | "visibility" | "memberPublicIds";
  card: "number" | "aliases" | "activity";
};

/**
 * A board of a source: one of a workspace archive, with the ids of the source. A time may be `now`,
 * that of the import. Without members, the starter of the import is added to it.
 */
export type SourceBoard = Omit<ArchivedBoard, OfArchives["board"]> &
  Partial<Pick<ArchivedBoard, OfArchives["board"]>>;
export type SourceList = SourceBoard["lists"][number];
export type SourceLabel = SourceBoard["labels"][number];
export type SourceField = NonNullable<SourceBoard["fields"]>[number];

/** The value of a field; those of options are lists. The report says its `detail`, as `Size: L`. */
export type SourceValue = NonNullable<ArchivedCard["fields"]>[number] & { detail?: string };

/** A card of a source: one of a workspace archive, with the ids of the source. */
export type SourceCard = Omit<ArchivedCard, OfArchives["card"] | "fields"> &
  Partial<Pick<ArchivedCard, OfArchives["card"]>> & {
    fields?: SourceValue[];
    /** The people of the source among its members and the assignees of its items. */
    people: SourcePerson[];
    /** What is not imported of it; reported when the card is written. */
    issues: ReportIssue[];
  };
export type SourceChecklist = SourceCard["checklists"][number];
export type SourceItem = SourceChecklist["items"][number];
export type SourceComment = SourceCard["comments"][number];
/** A link, or with `file` a file of the source: a link to its URL until it is fetched. */
export type SourceAttachment = SourceCard["attachments"][number];

/** A file in our storage. */
export type StoredFile = {
  storageKey: string;
  contentType: string;
  size: number | null;
  sha256: string | null;
};
/** The stored files of attachments. */
export type StoredFiles = ReadonlyMap<SourceAttachment, StoredFile>;

/** The times of a resource of a source; where it has none, that of the import. */
export const timesOf = (createdAt?: string | null, updatedAt?: string | null) => {
  return { createdAt: createdAt ?? "now", updatedAt: updatedAt ?? "now" };
};
