import { z } from "zod";
import { Event, schemaNameOf } from "./event-envelope.ts";
import { Notification } from "./resources/notifications.ts";
import { Timestamp } from "./vocabulary/fields.ts";

const event = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  description: string,
  data: Shape,
) =>
  z
    .object({ type: z.literal(type), timestamp: Timestamp, data: z.object(data) })
    .meta({ id: `User${schemaNameOf(type)}`, description });

const inWorkspace = { workspacePublicId: z.string() };
const ofBoard = { boardPublicId: z.string() };

/** What happens to a user: only the stream of the user shows it. */
export const UserEvent = z.union([
  event("notification.created", "The caller received a notification.", {
    notification: Notification,
  }),
  event("notification.read", "A notification was marked as read or unread.", {
    notificationPublicId: z.string(),
    isRead: z.boolean(),
  }),
  event(
    "notification.all_read",
    "All notifications, or those before a time, were marked as read.",
    {
      before: Timestamp.nullable().meta({
        description: "Only those created before this time. Null for all.",
      }),
    },
  ),
  event("favourite.added", "A board was added to favourites.", ofBoard),
  event("favourite.removed", "A board was removed from favourites.", ofBoard),
  event("invitation.received", "The caller was invited to a workspace.", inWorkspace),
  event(
    "workspace.joined",
    "The caller joined or created a workspace, or it was restored.",
    inWorkspace,
  ),
  event(
    "workspace.left",
    "The caller left or was removed from a workspace, or it was deleted.",
    inWorkspace,
  ),
  event("access.gained", "The caller gained access to a board, or to other parts of it.", {
    ...inWorkspace,
    ...ofBoard,
  }),
  event("access.lost", "The caller lost access to a board, or to parts of it.", {
    ...inWorkspace,
    ...ofBoard,
  }),
]);

/** What happens to a user. */
export type UserEvent = z.infer<typeof UserEvent>;

/** An event of a user as it is stored: of a notification, its id. */
export type StoredUserEvent =
  | { type: "notification.created"; data: { notificationPublicId: string } }
  | Exclude<
      UserEvent extends infer One
        ? One extends { type: string; data: object }
          ? Pick<One, "type" | "data">
          : never
        : never,
      { type: "notification.created" }
    >;

/** The events of a user that operations emit; the others follow from events of workspaces. */
export type EmittedUserEvent = Extract<
  StoredUserEvent,
  { type: `favourite.${string}` | "notification.read" | "notification.all_read" }
>;

/** Validates the data that an event of a user is emitted with. */
export const userEventData = ({ type, data }: EmittedUserEvent): Record<string, unknown> =>
  UserEvent.options.find(({ shape }) => shape.type.value === type)?.shape.data.parse(data) ?? {};

const about = <Type extends string, Shape extends z.ZodRawShape>(type: Type, more: Shape) =>
  z.object({ type: z.literal(type), cursor: z.string(), ...more });

/** An item of the stream of a user. */
export const UserStreamItem = z
  .union([
    UserEvent,
    Event,
    about("ready", {}).meta({ id: "UserStreamReady" }),
    about("resync", inWorkspace).meta({ id: "UserStreamResync" }),
    about("ended", inWorkspace).meta({ id: "UserStreamEnded" }),
  ])
  .meta({ id: "UserStreamItem" });

/** An item of the stream of a user. */
export type UserStreamItem = z.infer<typeof UserStreamItem>;
