import type { inferProcedureOutput } from "@trpc/server";
import type { listBoardCards } from "../../domain/boards/cards.ts";
import type { listComments } from "../../domain/comments/list.ts";
import type { BoardEvent } from "../../contract/event-envelope.ts";
import { cardFields } from "../../contract/fields/card.ts";
import type { Field } from "../../contract/fields/field.ts";
import type { FieldValues } from "../../contract/resources/custom-fields.ts";
import type { Card } from "./find.ts";
import type { RelationKind } from "../../contract/vocabulary/relation-kinds.ts";
import { block, quoted } from "./text.ts";

type Summary = inferProcedureOutput<typeof listBoardCards>["items"][number];
type Entry = Omit<Summary, "listPublicId" | "createdAt" | "updatedAt">;
type Comment = inferProcedureOutput<typeof listComments>["items"][number];

/** Shows the values of custom fields. */
export type ShowValues = (values: FieldValues) => string[];

/** How many labels, and how many members, the line of a card lists. */
const maxNames = 6;

const names = (word: string, items: { name: string }[]): string[] => {
  if (items.length === 0) return [];
  const listed = items.slice(0, maxNames).map(({ name }) => quoted(name, 20));
  const unlisted = items.length - listed.length;
  return [`${word} ${listed.join(", ")}${unlisted > 0 ? `, and ${unlisted} more` : ""}`];
};

/** A moment to the minute. */
export const minutes = (moment: string) => moment.replace(/:\d\d\.\d+Z$/, "Z");

const ofDates = new Map(Object.entries<Field>(cardFields).map(([name, { of }]) => [of, name]));
/** A date to the minute, and a whole day as such. */
export const dateShown = (date: string, isAllDay: boolean) =>
  isAllDay ? date.slice(0, 10) : minutes(date);

const withWord = Object.entries<Field>(cardFields).filter(([, { word }]) => word !== undefined);
const isFlag = ([, { kind }]: [string, Field]) => kind === "flag";
const shownFields = [...withWord.filter((field) => !isFlag(field)), ...withWord.filter(isFlag)];

/** The fields of a card that have a value, those that only are so last. */
const fieldsOf = (card: object): string[] => {
  const values = new Map<string, unknown>(Object.entries(card));
  return shownFields.flatMap(([name, { word = name, kind, choice }]) => {
    const value = values.get(name) ?? choice?.otherwise ?? false;
    if (value === false || value === choice?.otherwise) return [];
    const isAllDay = values.get(ofDates.get(name) ?? "") === true;
    if (typeof value === "string")
      return `${word} ${kind === "moment" ? dateShown(value, isAllDay) : value}`;
    return typeof value === "number" ? `${word} ${value}` : word;
  });
};

/** Who works on a card. A claim that has expired holds nothing. */
const claims = ({ claim }: Pick<Entry, "claim">, now: Date): string[] =>
  isLive(claim, now)
    ? [`claimed by ${quoted(claim.member.name, 20)} until ${minutes(claim.expiresAt)}`]
    : [];

/** Whether a claim still holds its card. */
const isLive = (claim: Entry["claim"], now: Date): claim is NonNullable<Entry["claim"]> =>
  claim !== null && Date.parse(claim.expiresAt) > now.getTime();

/** What a card is to another one, as a sentence says it. */
export const relationWords: Readonly<Record<RelationKind, string>> = {
  parent: "has the child",
  child: "is a child of",
  blocks: "blocks",
  blockedBy: "is blocked by",
  relates: "relates to",
  duplicates: "duplicates",
  duplicatedBy: "is duplicated by",
};

/** How a card is shown now: with the name of its list, where that is not said before. */
type Shown = { now: Date; list?: string; values?: ShowValues };

/** A card on one line. */
export function cardLine(card: Entry, { now, list, values }: Shown): string {
  const { checklistItems, commentCount } = card;
  const facts = [
    ...(list === undefined ? [] : [`list ${quoted(list, 20)}`]),
    ...names("labels", card.labels),
    ...names("members", card.members),
    ...fieldsOf(card),
    ...claims(card, now),
    ...(checklistItems.total === 0
      ? []
      : [`items ${checklistItems.completed}/${checklistItems.total}`]),
    ...(commentCount === 0 ? [] : [`comments ${commentCount}`]),
    ...(card.openBlockers === 0 ? [] : [`open blockers ${card.openBlockers}`]),
    ...(card.children.total === 0
      ? []
      : [`children ${card.children.completed}/${card.children.total}`]),
    ...(values?.(card.fields) ?? []),
  ];
  return `- ${card.cardNumber} ${quoted(card.title, 60)}${facts.map((fact) => `; ${fact}`).join("")}`;
}

/** A card with everything except its comments. */
export function cardLines(
  card: Card,
  { now, list, board, values }: Required<Shown> & { board: string },
): string[] {
  const facts = [
    `board ${quoted(board, 40)}`,
    `list ${quoted(list, 40)}`,
    ...card.labels.map(({ name }) => `label ${quoted(name, 20)}`),
    ...card.members.map(({ name }) => `member ${quoted(name, 20)}`),
    ...fieldsOf(card),
    ...claims(card, now),
    ...values(card.fields),
    `version ${card.version}`,
  ];
  return [
    `${card.cardNumber} ${quoted(card.title, 2_000)}`,
    ...facts,
    ...(card.description === null ? [] : ["description:", ...block(card.description)]),
    ...card.checklists.flatMap((checklist) => [
      `checklist ${quoted(checklist.name)}:`,
      ...checklist.items.map(
        ({ title, isComplete, dueDate, isDueAllDay }) =>
          `- [${isComplete ? "x" : " "}] ${quoted(title, 500)}${dueDate === null ? "" : `; due ${dateShown(dueDate, isDueAllDay)}`}`,
      ),
      ...(checklist.itemCount > checklist.items.length ? ["- and more items"] : []),
    ]),
    ...card.relations.map(
      ({ kind, card: other }) =>
        `${relationWords[kind]} ${other.cardNumber} ${quoted(other.title, 60)}` +
        (other.isComplete ? "; complete" : ""),
    ),
    ...card.attachments.map(({ kind, filename, url, size }) =>
      kind === "link"
        ? `link ${filename === url ? "" : `${quoted(filename)} `}${quoted(url)}`
        : `file ${quoted(filename)}; ${size} bytes`,
    ),
  ];
}

/** A comment with its author. */
export const commentLines = (comment: Comment): string[] => [
  `comment ${comment.publicId} by ${quoted(comment.authorName, 20)} at ${minutes(comment.createdAt)}${comment.isEdited ? ", edited" : ""}:`,
  ...block(comment.comment),
];

/** An event on one line. */
export function eventLine({ type, timestamp, actor, data, changes }: BoardEvent): string {
  const about = Object.entries(data).flatMap(([kind, value]) => subject(kind, value));
  const changed = Object.keys(changes ?? {}).filter((name) => /^\w{1,40}$/.test(name));
  return [
    `- ${minutes(timestamp)} ${type} by ${quoted(actor.name, 20)}`,
    ...about,
    ...(changed.length === 0 ? [] : [`changed ${changed.join(", ")}`]),
  ].join("; ");
}

/** The number and name of a resource in an event's data. */
function subject(kind: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const textOf = (...keys: string[]) =>
    keys.map((key) => fields.get(key)).find((text) => typeof text === "string");
  const name = textOf("title", "name", "comment", "filename");
  const number = textOf("cardNumber");
  if (name === undefined && number === undefined) return [];
  const facts = [number, typeof name === "string" ? quoted(name, 40) : undefined];
  return [`${kind} ${facts.filter((fact) => fact !== undefined).join(" ")}`];
}
