import { z } from "zod";
import { Event } from "./event-envelope.ts";
import { Notification } from "./resources/notifications.ts";
import { Timestamp } from "./vocabulary/fields.ts";

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, data: Shape) =>
  z.object({ type: z.literal(type), timestamp: Timestamp, data: z.object(data) });

const inWorkspace = { workspacePublicId: z.string() };
const ofBoard = { boardPublicId: z.string() };

/** What happens to a user: only the stream of the user shows it. */
export const UserEvent = z
  .union([
    event("notification.created", { notification: Notification }),
    event("notification.read", { notificationPublicId: z.string(), isRead: z.boolean() }),
    event("notification.all_read", {
      before: Timestamp.nullable().meta({ description: "Up to this time; null for all." }),
    }),
    event("favourite.added", ofBoard),
    event("favourite.removed", ofBoard),
    event("invitation.received", inWorkspace),
    event("workspace.joined", inWorkspace),
    event("workspace.left", inWorkspace),
    event("access.gained", { ...inWorkspace, ...ofBoard }),
    event("access.lost", { ...inWorkspace, ...ofBoard }),
  ])
  .meta({ id: "UserEvent" });

/** What happens to a user. */
export type UserEvent = z.infer<typeof UserEvent>;

/** The types of events of a user, with what is stored of each. */
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
