import { z } from "zod";
import { Slug, Timestamp, name, text } from "../vocabulary/texts.ts";
import { TimeZone } from "../vocabulary/time-zone.ts";

// Fields that several schemas have, with their texts and examples.

export const ActorName = z
  .string()
  .meta({ description: "The name of the actor at that time.", examples: ["Ada Lovelace"] });
export const AttachmentCount = z
  .int()
  .meta({ description: "The number of files and links.", examples: [0] });
export const AuthorName = z.string().meta({
  description: "The name of the author, or a placeholder if the account was deleted.",
  examples: ["Ada Lovelace"],
});
const boardDescription = {
  description: "The description, in Markdown. Null if there is none.",
  examples: ["All that has to happen before March"],
};
export const BoardDescription = z.string().nullable().meta(boardDescription);
export const BoardDescriptionInput = text(0, 10_000).nullable().meta(boardDescription);
export const BoardId = z.string().meta({ description: "Public id of the board." });
const boardName = { description: "The name of the board.", examples: ["Website relaunch"] };
export const BoardName = z.string().meta(boardName);
export const BoardNameInput = name(255).meta(boardName);
const boardSlug = {
  description: "The name in URLs: 3 to 64 letters, digits and hyphens. Case is ignored.",
  examples: ["website-relaunch"],
};
export const BoardSlug = z.string().meta(boardSlug);
export const BoardSlugInput = Slug.meta(boardSlug);
export const CardPrefix = z.string().meta({
  description: "The start of card numbers: 1 to 10 characters of `A-Z0-9`.",
  examples: ["AE"],
});
const checklistName = {
  description: "The name of the checklist.",
  examples: ["Before it goes out"],
};
export const ChecklistName = z.string().meta(checklistName);
export const ChecklistNameInput = name(255).meta(checklistName);
export const ClientAddress = z
  .string()
  .nullable()
  .meta({
    description: "The IP address of the client. Null if it is unknown.",
    examples: ["203.0.113.7"],
  });
export const CommentText = z
  .string()
  .meta({ description: "The text, in Markdown.", examples: ["Looks good to me."] });
export const CreatedAt = Timestamp.meta({
  description: "When it was created, in UTC.",
  examples: ["2026-01-31T10:00:00.000Z"],
});
export const DeletedAt = Timestamp.nullable().meta({
  description: "When it was moved to the trash, in UTC. Null if it is not in the trash.",
  examples: [null],
});
export const DueDate = Timestamp.nullable().meta({
  description: "When it is due: ISO 8601 with `Z` or an offset. Null if there is no due date.",
  examples: ["2026-02-27T16:00:00.000Z"],
});
/** Whether a date is a whole day. */
export const allDay = (date: string): z.ZodBoolean =>
  z.boolean().meta({
    description:
      `Whether \`${date}\` is a whole day: \`${date}\` was given without a time, and is that day's ` +
      "midnight in UTC. The day is the same for everybody, in every time zone.",
    examples: [false],
  });
/** Whether a due date is a whole day. */
export const IsDueAllDay = allDay("dueDate");
export const EventTime = Timestamp.meta({
  description: "When the event happened, in UTC.",
  examples: ["2026-02-02T08:15:00.000Z"],
});
export const EventTypeText = z
  .string()
  .meta({ description: "The type of the event.", examples: ["card.created"] });
export const ExpiresAt = Timestamp.meta({
  description: "When it expires, in UTC.",
  examples: ["2026-01-31T10:15:00.000Z"],
});
export const FailureReason = z
  .string()
  .nullable()
  .meta({ description: "Why it failed. Null if it did not fail.", examples: [null] });
export const FeedCursor = z
  .string()
  .meta({ description: "The position in the feed. A stream or the feed can resume after it." });
export const ItemTitlesInput = z
  .array(name(500))
  .max(500)
  .meta({
    description: "The titles of the items, in order.",
    examples: [["Check the links", "Ask Charles"]],
  });
export const TimeZoneInput = TimeZone.nullable().meta({
  description: "The time zone in which days begin. Null for UTC.",
  examples: ["Europe/Berlin"],
});
export const UserNameInput = name(255).meta({
  description: "The display name.",
  examples: ["Ada Lovelace"],
});
export const Granted = z.boolean().meta({
  description: "True adds the permission to those of the role; false takes it away.",
  examples: [true],
});
export const HierarchyLevel = z.int().meta({
  description: "The rank from 1 to 99 (`admin` 100). Roles rank above those with a lower level.",
  examples: [40],
});
export const InviteCode = z
  .string()
  .min(12)
  .max(64)
  .meta({
    description: "The code of the invite link, or of a mailed invite.",
    examples: ["V1StGXR8_Z5jdHi6B-myT1aa"],
  });
export const InviteExpiresAt = Timestamp.meta({
  description: "When it expires, in UTC.",
  examples: ["2026-02-07T10:00:00.000Z"],
});
const IsArchived = z.boolean().meta({ description: "Whether it is archived." });
export const IsAvailable = z.boolean().meta({ description: "Whether the slug can be used." });
export const IsReserved = z
  .boolean()
  .meta({ description: "Whether the slug is reserved by the service." });
export const ItemKind = z
  .string()
  .meta({ description: "The kind of item, such as `card`.", examples: ["card"] });
const itemTitle = { description: "The title of the item.", examples: ["Check the links"] };
export const ItemTitle = z.string().meta(itemTitle);
export const ItemTitleInput = name(500).meta(itemTitle);
const labelName = { description: "The name of the label.", examples: ["Urgent"] };
export const LabelName = z.string().meta(labelName);
export const LabelNameInput = name(36).meta(labelName);
const listName = { description: "The name of the list.", examples: ["To do"] };
export const ListName = z.string().meta(listName);
export const ListNameInput = name(255).meta(listName);
export const CardsOverLimit = z.int().meta({
  description:
    "By how many cards the list exceeds `wipLimit`, whatever the filters. 0 without a limit, or with `wipMode: off`.",
  examples: [0],
});
export const MemberName = z
  .string()
  .meta({ description: "The display name.", examples: ["Ada Lovelace"] });
export const MemberRole = z
  .string()
  .meta({ description: "The name of the role.", examples: ["member"] });
export const NewIndex = z.int().meta({ description: "Zero-based position.", examples: [2] });
export const PermissionText = z
  .string()
  .meta({ description: "The permission, such as `card:edit`.", examples: ["card:edit"] });
export const Permissions = z.array(z.string()).meta({
  description: "The permissions, in the order of the vocabulary.",
  examples: [["board:view", "list:view", "card:view", "card:edit"]],
});
export const Picture = z
  .string()
  .nullable()
  .meta({
    description: "The https URL of a picture. Null if there is none.",
    examples: ["https://images.example.com/ada.png"],
  });
export const RoleName = z
  .string()
  .meta({ description: "The name of the role.", examples: ["reviewer"] });
export const ShowEmailsToMembers = z
  .boolean()
  .meta({ description: "Whether members without `member:edit` see email addresses." });
export const RequiresSecondFactor = z
  .boolean()
  .meta({ description: "Whether only members with a second factor may act in the workspace." });
export const StatusCode = z
  .int()
  .nullable()
  .meta({
    description: "The HTTP status of the response. Null if there was none.",
    examples: [204],
  });
export const UpdatedAt = Timestamp.meta({
  description: "When it last changed, in UTC.",
  examples: ["2026-02-02T08:15:00.000Z"],
});
export const Version = z.int().meta({
  description: "The version of the resource. It rises with each change, and `ETag` starts with it.",
  examples: [3],
});
const webhookName = { description: "The name of the webhook.", examples: ["Team chat"] };
export const WebhookName = z.string().meta(webhookName);
export const WebhookNameInput = name(255).meta(webhookName);
export const WebhookSecret = z.string().meta({
  description: "Signs the deliveries: `whsec_` and the base64 of 24 to 64 bytes.",
  examples: ["whsec_dGhlIHNlY3JldCBvZiBhIHdlYmhvb2s="],
});
export const WeekStartDay = z
  .int()
  .meta({ description: "The first day of the week: 0 is Sunday, 6 is Saturday.", examples: [1] });
const workspaceDescription = {
  description: "The description, in Markdown. Null if there is none.",
  examples: ["Everything that we build"],
};
export const WorkspaceDescription = z.string().nullable().meta(workspaceDescription);
export const WorkspaceDescriptionInput = text(0, 280).nullable().meta(workspaceDescription);
const workspaceName = {
  description: "The name of the workspace.",
  examples: ["Analytical Engines"],
};
export const WorkspaceName = z.string().meta(workspaceName);
export const WorkspaceNameInput = name(64).meta(workspaceName);
export const WorkspaceRole = z
  .string()
  .meta({ description: "The name of the caller's role.", examples: ["member"] });
const workspaceSlug = {
  description: "The name in URLs: 3 to 64 letters, digits and hyphens. Case is ignored.",
  examples: ["analytical-engines"],
};
export const WorkspaceSlug = z.string().meta(workspaceSlug);
export const WorkspaceSlugInput = Slug.meta(workspaceSlug);

/** The fields that boards and lists have in common, after their own. */
export const archivableFields = <Kind extends "board" | "list">(kind: Kind) =>
  ({
    isArchived: {
      column: "archivedAt",
      kind: "flag",
      output: IsArchived,
      input: IsArchived,
      stored: Timestamp.nullable(),
      events: { true: `${kind}.archived`, false: `${kind}.unarchived` },
      in: ["entry", "update", "export"],
    },
    version: { column: "version", kind: "integer", output: Version, in: ["entry"] },
    createdAt: { column: "createdAt", kind: "moment", output: CreatedAt, in: ["entry"] },
    updatedAt: { column: "updatedAt", kind: "moment", output: UpdatedAt, in: ["entry"] },
  }) as const;
