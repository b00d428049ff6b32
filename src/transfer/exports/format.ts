import { z } from "zod";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { Counts } from "./counts.ts";
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

/** Its version: another one is another format. */
export const formatVersion = 1;

const moment = Timestamp;
const maybe = moment.nullable();
const dated = { createdAt: moment, updatedAt: moment };
const number = z.int().min(1).max(2_147_483_647);

/** The workspace itself. `lastCardNumber` is the highest number that was ever given out. */
const Workspace = z.strictObject({
  publicId: PublicId,
  name: name(1, 64),
  description: text(0, 280).nullable(),
  slug: Slug,
  cardPrefix: z.string().regex(/^[A-Z0-9]{1,10}$/, "Must be 1 to 10 of A–Z and 0–9"),
  weekStartDay: z.int().min(0).max(6),
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

/** A member who has not been removed. `email` is null when the exporter may not see email addresses. */
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

const List = z.strictObject({
  publicId: PublicId,
  name: name(1, 255),
  wipLimit: z.int().min(1).max(1_000).nullable(),
  archivedAt: maybe,
  ...dated,
});

/** A board with its lists in their order. `memberPublicIds` are those who were added to it. */
const Board = z.strictObject({
  publicId: PublicId,
  name: name(1, 255),
  description: text(0, 100_000).nullable(),
  slug: Slug,
  type: z.enum(["regular", "template"]),
  visibility: z.enum(["private", "restricted", "public"]),
  archivedAt: maybe,
  ...dated,
  memberPublicIds: z.array(PublicId).max(10_000),
  labels: z.array(Label).max(500),
  lists: z.array(List).max(200),
});

const ChecklistItem = z.strictObject({
  publicId: PublicId,
  title: name(1, 500),
  completedAt: maybe,
  dueDate: maybe,
  memberPublicId: PublicId.nullable(),
  ...dated,
});

const Checklist = z.strictObject({
  publicId: PublicId,
  name: name(1, 255),
  ...dated,
  items: z.array(ChecklistItem).max(500),
});

/** `author` has a name where it is known, and a `memberPublicId` while they are a member. */
const Comment = z.strictObject({
  publicId: PublicId,
  comment: text(1, 20_000),
  author: z.strictObject({
    name: z.string().max(1_000).nullable(),
    memberPublicId: PublicId.nullable(),
  }),
  isEdited: z.boolean(),
  ...dated,
});

/** A link has a `url`; a file has a size, and `file`: the name under which an archive holds its bytes. */
const Attachment = z.strictObject({
  publicId: PublicId,
  kind: z.enum(["file", "link"]),
  filename: text(1, 1_000),
  contentType: z
    .string()
    .max(255)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, "Must be a type such as text/plain"),
  size: z.int().min(0).nullable(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Must be a SHA-256 in hexadecimal")
    .nullable(),
  file: z
    .string()
    .regex(/^files\/[0-9a-z]{12,64}$/, "Must be files/ and a name of a–z and 0–9")
    .nullable(),
  url: text(1, 100_000).nullable(),
  ...dated,
});

/** What happened on the card, as its history shows it. */
const Activity = z.strictObject({
  type: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]+$/)
    .max(64),
  actor: z.strictObject({
    type: z.enum(["user", "apiKey", "import", "system"]),
    publicId: PublicId.nullable(),
    name: z.string().max(1_000),
  }),
  data: z.record(z.string(), z.unknown()),
  changes: z.record(z.string(), z.unknown()).nullable(),
  createdAt: moment,
});

/** A card with everything on it. The cards of a list are in their order. */
const Card = z.strictObject({
  publicId: PublicId,
  listPublicId: PublicId,
  number,
  aliases: z.array(number).max(1_000),
  title: name(1, 2_000),
  description: text(0, 100_000).nullable(),
  startDate: maybe,
  dueDate: maybe,
  completedAt: maybe,
  archivedAt: maybe,
  ...dated,
  labelPublicIds: z.array(PublicId).max(500),
  memberPublicIds: z.array(PublicId).max(10_000),
  checklists: z.array(Checklist).max(50),
  attachments: z.array(Attachment).max(500),
  comments: z.array(Comment),
  activity: z.array(Activity),
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
  cards: z.array(Card),
  counts: Counts,
  complete: z.literal(true),
} as const;

/** The whole document. */
export const WorkspaceExport = z.strictObject(sections);

type Whole = z.infer<typeof WorkspaceExport>;

/** A part of the document that is a list: what one of its items is. */
export type Items = {
  roles: Whole["roles"][number];
  members: Whole["members"][number];
  boards: Whole["boards"][number];
  cards: Whole["cards"][number];
};

/** The document's head. */
export type Head = Pick<Whole, "exportedAt" | "workspace">;
