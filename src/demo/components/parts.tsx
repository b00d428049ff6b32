import type { Card } from "../base/types.ts";
import { Icon } from "./icon.tsx";

type DueProps = { date: string; isAllDay: boolean; isComplete: boolean };

/** A due date, which stands out when it has passed. */
export function Due({ date, isAllDay, isComplete }: DueProps) {
  const due = new Date(isAllDay ? `${date.slice(0, 10)}T00:00:00` : date);
  const [end, now] = [new Date(due), new Date()];
  // A whole day is over when it has ended here.
  if (isAllDay) end.setDate(end.getDate() + 1);
  const isLate = !isComplete && (isAllDay ? end <= now : end < now);
  const text = due.toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    ...(due.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
  });
  return (
    <time dateTime={date} className={isComplete ? "fact done" : isLate ? "fact late" : "fact"}>
      <span className="unseen">{isComplete ? "Done, due " : "Due "}</span>
      <Icon name={isComplete ? "check" : "clock"} />
      {text}
    </time>
  );
}

/** Who works on a card, until the claim expires. */
export function Claim({ claim: { member, expiresAt } }: { claim: NonNullable<Card["claim"]> }) {
  const end = new Date(expiresAt);
  if (end <= new Date()) return null;
  return (
    <span
      className="claim fact"
      title={`Claimed by ${member.name}, who works on it until ${end.toLocaleString()}`}
    >
      <span className="unseen">Claimed by {member.name}</span>
      <Icon name="claim" />
    </span>
  );
}

/** When something happened, as people say it. */
export function When({ date }: { date: string }) {
  const at = new Date(date);
  const seconds = (at.getTime() - Date.now()) / 1000;
  const [unit, size] = units.find(([, step]) => Math.abs(seconds) >= step) ?? ["minute", 60];
  return (
    <time dateTime={date} title={at.toLocaleString()}>
      {Math.abs(seconds) < 60 ? "just now" : relative.format(Math.round(seconds / size), unit)}
    </time>
  );
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** The colours that labels and options can have. */
export const colours = [
  ["Red", "#dc2626"],
  ["Orange", "#ea7a0c"],
  ["Yellow", "#d6c20a"],
  ["Green", "#16a34a"],
  ["Teal", "#0d9488"],
  ["Blue", "#2563eb"],
  ["Purple", "#9333ea"],
  ["Pink", "#db2777"],
  ["Grey", "#6b7280"],
] as const;

/** Colours whose parts differ less look grey. */
const greyRange = 32;

/** The class of a label's colour: its hue in twelve steps, as styles in markup are not allowed. */
export function colourClass({ colourCode }: { colourCode: string | null }): string {
  const match = /^#(..)(..)(..)$/.exec(colourCode ?? "");
  if (match === null) return "";
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => Number.parseInt(part, 16));
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (range < greyRange) return "";
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return `hue-${Math.round(sixth * 2 + 12) % 12}`;
}
