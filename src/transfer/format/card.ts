import { z } from "zod";
import { ActorType, AttachmentKind } from "../../contract/vocabulary/enums.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { storedShape } from "../../contract/fields/field.ts";
import { name, PublicId, text, Timestamp } from "../../contract/vocabulary/fields.ts";

const maybe = Timestamp.nullable();
const dated = { createdAt: Timestamp, updatedAt: Timestamp };
const number = z.int().min(1).max(2_147_483_647);

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
  items: z.array(ChecklistItem),
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

/** A link has a `url`. A file has a size, and `file`: its name in an archive. */
const Attachment = z.strictObject({
  publicId: PublicId,
  kind: AttachmentKind,
  filename: text(1, 1_000),
  contentType: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9_.+-]+\/[A-Za-z0-9_.+-]+$/, "Must be a type such as text/plain"),
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
    type: ActorType,
    publicId: PublicId.nullable(),
    name: z.string().max(1_000),
  }),
  data: z.record(z.string(), z.unknown()),
  changes: z.record(z.string(), z.unknown()).nullable(),
  createdAt: Timestamp,
});

/**
 * A card with everything on it. The cards of a list are in their order.
 *
 * The limits of parts are those of the service: an import skips and reports what exceeds them.
 */
export const ExportedCard = z.strictObject({
  publicId: PublicId,
  listPublicId: PublicId,
  number,
  aliases: z.array(number).max(1_000),
  ...storedShape(cardFields),
  ...dated,
  labelPublicIds: z.array(PublicId),
  memberPublicIds: z.array(PublicId),
  checklists: z.array(Checklist),
  attachments: z.array(Attachment),
  comments: z.array(Comment),
  activity: z.array(Activity),
});
