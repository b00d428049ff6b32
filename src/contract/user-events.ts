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
  event("notification.created", "The caller gets a notification.", { notification: Notification }),
  event("notification.read", "A notification is read, or unread again.", {
    notificationPublicId: z.string(),
    isRead: z.boolean(),
  }),
  event("notification.all_read", "All notifications are read.", {
    before: Timestamp.nullable().meta({ description: "Up to this time; null for all." }),
  }),
  event("favourite.added", "A board becomes a favourite.", ofBoard),
  event("favourite.removed", "A board is no favourite any longer.", ofBoard),
  event("invitation.received", "The caller is invited to a workspace.", inWorkspace),
  event(
    "workspace.joined",
    "The caller joins or creates a workspace, or it is restored.",
    inWorkspace,
  ),
  event(
    "workspace.left",
    "The caller leaves a workspace or is removed, or it is deleted.",
    inWorkspace,
  ),
  event("access.gained", "The caller can see a board, or other parts of it.", {
    ...inWorkspace,
    ...ofBoard,
  }),
  event("access.lost", "The caller can no longer see a board, or parts of it.", {
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
