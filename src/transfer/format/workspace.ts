import { z } from "zod";
import { boardFields } from "../../contract/fields/board.ts";
import { storedShape } from "../../contract/fields/field.ts";
import { partsIn } from "../../contract/fields/part.ts";
import { boardParts } from "../../contract/resources/board-parts.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { TimeZone } from "../../contract/vocabulary/time-zone.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { StoredView } from "../../contract/resources/views.ts";
import { ExportedCard } from "./card.ts";
import { DocumentCounts } from "./counts.ts";
import { PublicId, Slug, text, Timestamp, storedName } from "../../contract/vocabulary/texts.ts";

/** The name of the format of an exported workspace. */
export const formatName = "workspace-board-service/workspace";

/** The names of the first and the last entry of an archive. */
export const [documentName, manifestName] = ["workspace.json", "manifest.json"];

/** The version of the format; readers accept no other. */
export const formatVersion = 1;

const moment = Timestamp;
const maybe = moment.nullable();
const dated = { createdAt: moment, updatedAt: moment };

/**
 * The workspace itself. `lastCardNumber` is the highest number that was ever given out.
 *
 * Files of older versions have no `timeZone`.
 */
const Workspace = z.strictObject({
  publicId: PublicId,
  name: storedName(64),
  description: text(0, 280).nullable(),
  slug: Slug,
  cardPrefix: z.string().regex(/^[A-Z0-9]{1,10}$/, "Must be 1 to 10 of A–Z and 0–9"),
  weekStartDay: z.int().min(0).max(6),
  timeZone: TimeZone.nullable().optional(),
  showEmailsToMembers: z.boolean(),
  lastCardNumber: z.int().min(0).max(2_147_483_647),
  ...dated,
});

const Role = z.strictObject({
  publicId: PublicId,
  name: storedName(64),
  description: text(0, 1_000).nullable(),
  hierarchyLevel: z.int().min(1).max(100),
  isSystem: z.boolean(),
  permissions: z.array(z.enum(permissions)).max(permissions.length),
});

/** A member. `email` is null when the exporter may not see email addresses. */
const Member = z.strictObject({
  publicId: PublicId,
  name: z.string().max(1_000),
  email: Email.nullable(),
  rolePublicId: PublicId,
  status: z.enum(["invited", "active"]),
  overrides: z
    .array(z.strictObject({ permission: z.enum(permissions), granted: z.boolean() }))
    .max(permissions.length),
  createdAt: moment,
  joinedAt: maybe,
});

/** A board with its lists in their order. `memberPublicIds` are those who were added to it. */
const Board = z.strictObject({
  publicId: PublicId,
  ...storedShape(boardFields),
  ...dated,
  memberPublicIds: z.array(PublicId),
  ...partsIn(boardParts, "stored"),
});

/** The parts of the document, in the order in which they must stand. */
export const sections = {
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  exportedAt: moment,
  workspace: Workspace,
  roles: z.array(Role),
  members: z.array(Member),
  boards: z.array(Board),
  views: z.array(StoredView),
  cards: z.array(ExportedCard),
  counts: DocumentCounts,
  complete: z.literal(true),
} as const;

/** The whole document. */
export const WorkspaceExport = z.strictObject({
  ...sections,
  // Files of older versions have none.
  views: sections.views.optional(),
});

type Whole = z.infer<typeof WorkspaceExport>;

/** A part of the document that is a list: what one of its items is. */
export type Items = {
  roles: Whole["roles"][number];
  members: Whole["members"][number];
  boards: Whole["boards"][number];
  views: z.infer<typeof StoredView>;
  cards: Whole["cards"][number];
};

/** The document's head. */
export type Head = Pick<Whole, "exportedAt" | "workspace">;
