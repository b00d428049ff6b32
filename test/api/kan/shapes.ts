import { z } from "zod";

// What programs read of the answers; they may have more.

const id = z.string().regex(/^[0-9a-z]{12}$/);
const time = z.iso.datetime();
const named = z.object({ publicId: id, name: z.string() });
const label = named.extend({ colourCode: z.string().nullable() });
const person = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string(),
  image: z.string().nullable(),
});
const member = z.object({ publicId: id, email: z.string(), status: z.string(), user: person });
const assignee = member.omit({ status: true });
const item = z.object({
  publicId: id,
  title: z.string(),
  completed: z.boolean(),
  index: z.int(),
});
const checklist = named.extend({ index: z.int(), items: z.array(item) });
const ref = z.object({ publicId: id });
const card = z.object({
  publicId: id,
  title: z.string(),
  description: z.string().nullable(),
  cardNumber: z.int(),
  index: z.int(),
  dueDate: time.nullable(),
  labels: z.array(label),
});
const plan = z.enum(["free", "team", "pro", "enterprise"]);
const workspace = z.object({ publicId: id, cardPrefix: z.string(), members: z.array(member) });
const list = named.extend({ index: z.int() });
const board = named.extend({
  slug: z.string(),
  visibility: z.string(),
  isArchived: z.boolean(),
  favorite: z.boolean(),
  workspace,
  labels: z.array(label),
  lists: z.array(
    list.extend({
      cards: z.array(
        card.extend({
          members: z.array(assignee),
          attachments: z.array(ref),
          checklists: z.array(checklist),
          comments: z.array(ref),
        }),
      ),
    }),
  ),
  allLists: z.array(named),
});
const movedList = list.extend({ publicId: id }).nullable();
const activity = z.object({
  publicId: z.string(),
  type: z.string(),
  createdAt: time,
  fromIndex: z.int().nullable(),
  toIndex: z.int().nullable(),
  fromTitle: z.string().nullable(),
  toTitle: z.string().nullable(),
  fromDescription: z.string().nullable(),
  toDescription: z.string().nullable(),
  fromDueDate: time.nullable(),
  toDueDate: time.nullable(),
  fromList: movedList,
  toList: movedList,
  label: named.nullable(),
  member: z.object({ publicId: id, user: person }).nullable(),
  user: person.nullable(),
  comment: z
    .object({
      publicId: id,
      comment: z.string(),
      createdBy: z.string().nullable(),
      updatedAt: time.nullable(),
      deletedAt: time.nullable(),
    })
    .nullable(),
  attachment: z.object({ publicId: id, filename: z.string() }).nullable(),
});
const attachment = z.object({
  publicId: id,
  contentType: z.string(),
  s3Key: z.string(),
  originalFilename: z.string(),
  size: z.int().nullable(),
  url: z.string(),
});
const found = { title: z.string(), description: z.string().nullable(), createdAt: time };
const roles = z.object({
  roles: z.array(
    named.extend({
      hierarchyLevel: z.int(),
      isSystem: z.boolean(),
      permissions: z.array(z.string()),
    }),
  ),
});
const invite = z.object({
  inviteCode: z.string(),
  inviteLink: z.url(),
  isActive: z.literal(true),
  expiresAt: time,
});
const availability = z.object({ isAvailable: z.literal(true), isReserved: z.literal(false) });
const webhook = named.extend({
  url: z.string(),
  events: z.array(z.string()).min(1),
  active: z.boolean(),
  createdAt: time,
});
const success = z.object({ success: z.literal(true) });

/** The shape of the answer of each operation that the mount translates. */
export const shapes: Readonly<Record<string, z.ZodType>> = {
  "GET /users/me": z.object({
    id,
    email: z.string(),
    name: z.string(),
    image: z.string().nullable(),
    stripeCustomerId: z.null(),
    hasPassword: z.boolean(),
    hasMagicLinkAccount: z.boolean(),
    apiKey: z.null(),
  }),
  "GET /workspaces": z
    .array(
      named.extend({
        role: z.string(),
        workspace: named.extend({
          slug: z.string(),
          plan,
          cardPrefix: z.string(),
          weekStartDay: z.int(),
          description: z.string().nullable(),
          deletedAt: time.nullable(),
        }),
      }),
    )
    .min(1),
  "GET /workspaces/{workspacePublicId}": named.extend({
    slug: z.string(),
    description: z.string().nullable(),
    showEmailsToMembers: z.boolean(),
    weekStartDay: z.int(),
    members: z.array(member.extend({ role: z.string(), createdAt: time })).min(2),
    subscriptions: z.tuple([]),
    boards: z.array(named.extend({ slug: z.string() })).min(1),
  }),
  "GET /workspaces/{workspacePublicId}/search": z
    .array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("board"), publicId: id, slug: z.string(), ...found }),
        z.object({
          type: z.literal("card"),
          publicId: id,
          boardPublicId: id,
          boardName: z.string().min(1),
          listName: z.string().min(1),
          cardNumber: z.int(),
          ...found,
        }),
      ]),
    )
    .min(2),
  "GET /workspaces/{workspacePublicId}/roles": roles,
  "GET /workspaces/{workspacePublicId}/roles/permissions": roles,
  "GET /workspaces/{workspacePublicId}/invite": invite,
  "POST /workspaces/{workspacePublicId}/invites": invite,
  "POST /invites/accept": success.extend({ workspacePublicId: id, workspaceSlug: z.string() }),
  "GET /workspaces/{workspacePublicId}/boards": z
    .array(named.extend({ favorite: z.boolean(), lists: z.array(list), labels: z.array(label) }))
    .min(1),
  "POST /workspaces/{workspacePublicId}/boards": named,
  "GET /workspaces/{workspacePublicId}/boards/{boardSlug}": board,
  "GET /boards/{boardPublicId}": board,
  "PUT /boards/{boardPublicId}": named.extend({ success: z.literal(true), favorite: z.boolean() }),
  "POST /boards/{boardPublicId}/move": success,
  "POST /lists": named,
  "POST /cards": card,
  "GET /cards/{cardPublicId}": card.extend({
    createdBy: z.string().nullable(),
    members: z.array(assignee).min(1),
    checklists: z.array(checklist).min(1),
    attachments: z.array(attachment).min(1),
    list: named.extend({
      board: named.extend({
        labels: z.array(label),
        lists: z.array(named).min(2),
        workspace: workspace.extend({ members: z.array(member).min(2) }),
      }),
    }),
    activities: z.array(activity).min(5),
  }),
  "POST /cards/{cardPublicId}/duplicate": card,
  "GET /cards/{cardPublicId}/activities": z.object({
    activities: z.array(activity).min(5),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
  }),
  "DELETE /cards/{cardPublicId}/comments/{commentPublicId}": ref,
  "GET /workspaces/check-slug-availability": availability,
  "GET /boards/{boardPublicId}/check-slug-availability": availability,
  "POST /workspaces/{workspacePublicId}/webhooks": webhook,
  "PUT /workspaces/{workspacePublicId}/webhooks/{webhookPublicId}": webhook,
  "PUT /checklists/items/{checklistItemPublicId}": item.extend({ completed: z.literal(true) }),
};
