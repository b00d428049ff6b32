import { z } from "zod";
import { BoardId, EventTime, FeedCursor } from "./fields/shared.ts";
import { Event, schemaNameOf } from "./event-envelope.ts";
import { Notification } from "./resources/notifications.ts";
import { ViewInfo } from "./resources/views.ts";
import { Timestamp } from "./vocabulary/texts.ts";

const event = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  description: string,
  data: Shape,
) =>
  z
    .object({
      type: z.literal(type).meta({ description: "The type of the event, such as `card.created`." }),
      timestamp: EventTime,
      data: z.object(data).meta({
        description: "The resource after the change, under its own name, and its parents.",
      }),
    })
    .meta({ id: `User${schemaNameOf(type)}`, description });

const inWorkspace = {
  workspacePublicId: z.string().meta({ description: "Public id of the workspace." }),
};
const ofBoard = { boardPublicId: BoardId };
const ofView = { ...inWorkspace, view: ViewInfo.meta({ description: "The view." }) };

/** What happens to a user: only the stream of the user shows it. */
export const UserEvent = z.union([
  event("notification.created", "The caller received a notification.", {
    notification: Notification,
  }),
  event("notification.read", "A notification was marked as read or unread.", {
    notificationPublicId: z.string().meta({ description: "Public id of the notification." }),
    isRead: z.boolean().meta({ description: "Whether the notification is now read." }),
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
  event("private_view.created", "The caller created a private view.", ofView),
  event("private_view.updated", "The caller changed a private view.", ofView),
  event("private_view.deleted", "The caller deleted a private view.", ofView),
  event("private_view.restored", "The caller restored a private view.", ofView),
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
  {
    type:
      | `favourite.${string}`
      | `private_view.${string}`
      | "notification.read"
      | "notification.all_read";
  }
>;

/** Validates the data that an event of a user is emitted with. */
export const userEventData = ({ type, data }: EmittedUserEvent): Record<string, unknown> =>
  UserEvent.options.find(({ shape }) => shape.type.value === type)?.shape.data.parse(data) ?? {};

const streamItem = <Type extends string, Shape extends z.ZodRawShape>(type: Type, fields: Shape) =>
  z.object({
    type: z.literal(type).meta({ description: "The kind of item." }),
    cursor: FeedCursor,
    ...fields,
  });

/** An item of the stream of a user. */
export const UserStreamItem = z
  .union([
    UserEvent,
    Event,
    streamItem("ready", {}).meta({
      id: "UserStreamReady",
      description: "The first item of the stream, with its start position.",
    }),
    streamItem("resync", inWorkspace).meta({
      id: "UserStreamResync",
      description: "The client was too slow. The events that it missed follow.",
    }),
    streamItem("ended", inWorkspace).meta({
      id: "UserStreamEnded",
      description: "The caller has lost access to a workspace, whose events end here.",
    }),
  ])
  .meta({
    id: "UserStreamItem",
    description: "An item of the stream of a user: an event, or a message about the stream.",
  });

/** An item of the stream of a user. */
export type UserStreamItem = z.infer<typeof UserStreamItem>;
