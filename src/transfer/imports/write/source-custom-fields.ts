import { maxFieldText, maxOptions } from "../../../contract/resources/custom-fields.ts";
import {
  addressOf,
  nameOf,
  plannedDateOf,
  shortened,
  textOf,
} from "../../../platform/foreign-text.ts";
import { limitedName, type Skip, type SkipOnCard } from "./limits.ts";
import type { Members, SourceBoard, SourceField, SourceValue } from "./source.ts";

/** A custom field as sources have it; its options in their order. */
export type FieldInput = {
  id: string;
  name: unknown;
  type: SourceField["type"];
  isShownOnCard: boolean;
  options?: { id: string; name: unknown; colourCode: string | null }[];
};

/** The message that a field is full. */
export const fullField = `A field has at most ${maxOptions} options.`;

/** Converts a field; reports the options beyond the most of a field. */
export function sourceField(
  { id: publicId, name: fullName, type, isShownOnCard, options = [] }: FieldInput,
  skip: Skip,
): SourceField {
  const name = limitedName("field", { id: publicId, name: fullName }, 255, "Untitled field", skip);
  for (const option of options.slice(maxOptions)) {
    const issue = { kind: "fieldOption", sourceId: option.id, name: nameOf(option.name) };
    skip({ ...issue, reason: fullField, detail: name });
  }
  return {
    publicId,
    name,
    type,
    unit: null,
    isShownOnCard,
    options: options.slice(0, maxOptions).map(({ id, name: option, colourCode }) => {
      const optionName = limitedName(
        "fieldOption",
        { id, name: option },
        255,
        "Untitled option",
        skip,
      );
      return { publicId: id, name: optionName, colourCode };
    }),
  };
}

/** A value as sources have it: a text, a number or true and false; of options, their ids. */
export type ValueInput = {
  /** Its id at the source, for the report. */
  sourceId?: string | undefined;
  fieldId: string;
  /** What the report calls its field if that was not imported. */
  fieldName?: string | null;
  content: unknown;
  /** What the report calls it, if not by its content. */
  shown?: string | null | undefined;
  /** What the report adds, such as a line. */
  where?: string;
};

/** What the values of cards are converted with. */
export type FieldContext = {
  /** The fields of the board by their ids at the source. */
  fields: ReadonlyMap<string, SourceField>;
  /** The members that people of the source are mapped to. */
  members?: Members;
};

/** The fields of a board by their ids at the source. */
export const fieldsById = ({ fields = [] }: Pick<SourceBoard, "fields">) =>
  new Map(fields.map((field) => [field.publicId, field]));

type Value = SourceValue["value"];
type Read = (content: unknown, field: SourceField, context: FieldContext) => Value | null;

const numeric = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
const isLong = (text: string) => shortened(text, maxFieldText) !== text;

const option: Read = (content, field) => {
  const optionIds = new Set(field.options.map(({ publicId }) => publicId));
  const ids = [content].flat().filter((id) => typeof id === "string");
  return ids.length > 0 && ids.every((id) => optionIds.has(id)) ? ids : null;
};

/** How the values of each type are read, and why one is refused. */
const types: Readonly<Record<SourceField["type"], { refusal: string; read: Read }>> = {
  text: {
    refusal: `A text in a field has at most ${maxFieldText.toLocaleString("en")} characters.`,
    read(content) {
      const text = textOf(typeof content === "number" ? String(content) : content);
      return text === null || isLong(text) ? null : text;
    },
  },
  url: {
    refusal: "The field expects an http or https URL.",
    read(content) {
      const text = addressOf(content);
      return text === null || isLong(text) ? null : text;
    },
  },
  number: {
    refusal: "The field expects a number.",
    read(content) {
      const text = typeof content === "number" ? String(content) : (nameOf(content) ?? "");
      const number = numeric.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(number) ? number : null;
    },
  },
  date: {
    refusal: "The field expects a date.",
    read: plannedDateOf,
  },
  checkbox: {
    refusal: "The field expects true or false.",
    read(content) {
      const text = String(content).toLowerCase();
      return text === "true" || text === "false" ? text === "true" : null;
    },
  },
  select: { refusal: "The field has no such option.", read: option },
  multiSelect: { refusal: "The field has no such option.", read: option },
  member: {
    refusal: "The member is not mapped to one here.",
    read(content, _, { members }) {
      const id = nameOf(content)?.toLowerCase() ?? "";
      return members?.has(id) === true ? id : null;
    },
  },
};

const isNothing = (content: unknown) => content === null || content === undefined || content === "";

/** Converts the values of a card; reports those that their fields refuse. */
export function sourceValues(
  values: ValueInput[],
  context: FieldContext,
  skip: SkipOnCard,
): SourceValue[] {
  const filled = new Set<string>();
  return values.flatMap(({ sourceId, fieldId, fieldName, content, shown, where }) => {
    const field = context.fields.get(fieldId);
    const name = field?.name ?? fieldName ?? "an unknown field";
    const text = shortened(shown ?? shownOf(content, field), 500);
    const detail = `${name}: ${text}${where === undefined ? "" : ` (${where})`}`;
    const of = { detail, ...(sourceId === undefined ? {} : { sourceId }) };
    const leaveOut = (reason: string) => {
      skip("cardField", reason, of);
      return [];
    };
    if (isNothing(content)) {
      skip("cardField", "It has no value.", { ...of, severity: "info" });
      return [];
    }
    if (field === undefined) return leaveOut("Its field was not imported.");
    if (filled.has(fieldId)) return leaveOut("The card has another value in this field.");
    const { read, refusal } = types[field.type];
    const value = read(content, field, context);
    if (value === null) return leaveOut(refusal);
    filled.add(fieldId);
    return { fieldPublicId: fieldId, value, detail };
  });
}

const textIn = (value: unknown) => (isNothing(value) ? "" : JSON.stringify(value));

/** A value for people: of options their names. */
function shownOf(content: unknown, field: SourceField | undefined): string {
  const names = new Map(field?.options.map(({ publicId, name }) => [publicId, name]));
  const texts = [content].flat().map((part) => (typeof part === "string" ? part : textIn(part)));
  return texts.map((text) => names.get(text) ?? text).join(", ");
}
