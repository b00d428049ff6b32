import { z } from "zod";
import { catalog, eventTypes, type EventType } from "./events.ts";

/** The whole data of an event, before its schema selects the fields that it shows. */
export type WholeData<Type extends EventType> = z.input<(typeof catalog)[Type]["data"]>;

/** The events whose `to` is the position of the card when its transaction ends. */
const withTarget = ["card.created", "card.restored", "card.unarchived"] as const;
type WithTarget = (typeof withTarget)[number];

/** Whether an event shows where its card stands. */
export const hasTarget = (type: EventType): boolean => withTarget.some((one) => one === type);

/** The data to emit an event with: a card's state is read when its transaction ends. */
export type EventData<Type extends EventType> = Type extends EventType
  ? Omit<WholeData<Type>, "card" | (Type extends WithTarget ? "to" : never)> &
      (WholeData<Type> extends { card: unknown } ? { card: { publicId: string } } : unknown)
  : never;

const CardInput = z.object({ publicId: z.string() });
const inputSchemas = new Map(
  eventTypes.map((type): [EventType, z.ZodObject] => {
    const data: z.ZodObject = catalog[type].data;
    const card = "card" in data.shape ? { card: CardInput } : {};
    return [
      type,
      data.extend({ ...card, ...(hasTarget(type) ? { to: z.undefined().optional() } : {}) }),
    ];
  }),
);

/** Validates the data that an event is emitted with. */
export const inputData = (type: EventType, data: unknown): Record<string, unknown> =>
  inputSchemas.get(type)?.parse(data) ?? {};

const subjects = new Map(
  eventTypes.map((type) => [
    type,
    type
      .split(".", 1)
      .join("")
      .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]),
);

/** The data field of an event's main resource: `checklist_item.created` has `checklistItem`. */
export const subjectOf = (type: EventType): string => subjects.get(type) ?? "";
