import { z } from "zod";
import { storedShape } from "../../contract/fields/field.ts";
import { listFields } from "../../contract/fields/list.ts";
import { BoardType, BoardVisibility } from "../../contract/vocabulary/enums.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { TimeZone } from "../../contract/vocabulary/time-zone.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { StoredField } from "../../contract/resources/fields.ts";
import { StoredView } from "../../contract/resources/views.ts";
import { ExportedCard } from "./card.ts";
import { DocumentCounts } from "./counts.ts";
import {
  ColourCode,
  name,
  PublicId,
  Slug,
  text,
  Timestamp,
} from "../../contract/vocabulary/fields.ts";

/** The name of the format of an exported workspace. */
export const formatName = "workspace-board-service/workspace";

/** The names of the first and the last entry of an archive. */
export const [documentName, manifestName] = ["workspace.json", "manifest.json"];

/** Its version: another one is another format. */
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
  name: name(1, 64),
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
  name: name(1, 64),
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

const Label = z.strictObject({
  publicId: PublicId,
  name: name(1, 36),
  colourCode: ColourCode.nullable(),
});

/** A list. Files of older versions have no `wipMode`. */
const List = z.strictObject({
  publicId: PublicId,
  ...storedShape(listFields),
  ...dated,
});

/** A board with its lists in their order. `memberPublicIds` are those who were added to it. */
const Board = z.strictObject({
  publicId: PublicId,
  name: name(1, 255),
  description: text(0, 100_000).nullable(),
  slug: Slug,
  type: BoardType,
  visibility: BoardVisibility,
  archivedAt: maybe,
  ...dated,
  memberPublicIds: z.array(PublicId),
  labels: z.array(Label),
  // Files of older versions have none.
  fields: z.array(StoredField).default([]),
  lists: z.array(List),
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
