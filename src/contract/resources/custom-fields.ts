import { z } from "zod";
import { Version } from "../fields/shared.ts";
import { ColourCode, Double, name, PublicId, storedName, text } from "../vocabulary/texts.ts";
import { idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { AnyPart, Part } from "../fields/part.ts";

/** The most options of a field. */
export const maxOptions = 100;
/** The most characters of a text in a custom field. */
export const maxFieldText = 1_000;
/** The most fields that one input sets. */
const maxValues = 50;

/** The type of a custom field. */
export const CustomFieldType = z
  .enum(["text", "number", "date", "checkbox", "select", "multiSelect", "member", "url"])
  .meta({
    id: "CustomFieldType",
    description:
      "The type of a field's values. `select` is one of the field's options, `multiSelect` any of " +
      "them, and `member` a member of the workspace.",
  });

const FieldType = CustomFieldType.meta({
  description: "The type of its values. It never changes.",
  examples: ["select"],
});
const fieldName = { description: "The name of the field.", examples: ["Size"] };
const optionName = { description: "The name of the option.", examples: ["Large"] };
const unit = {
  description: "The unit of a `number` field, such as `h`. Null if there is none.",
  examples: [null],
};
const IsShownOnCard = z.boolean().meta({
  description:
    "Whether lists of cards and public boards show its values. `card.get` shows all fields.",
  examples: [true],
});

/** An option of a field. */
const FieldOption = viewedWith(
  "board:view",
  z
    .object({
      publicId: idOf("fieldOption"),
      name: z.string().meta(optionName),
      colourCode: z
        .string()
        .nullable()
        .meta({ examples: ["#d73a4a"], description: "The colour as `#rrggbb`." }),
    })
    .meta({ id: "FieldOption", description: "An option of a field." }),
);

/** A field that the cards of a board have. */
export const CustomField = viewedWith(
  "board:view",
  z
    .object({
      publicId: idOf("field"),
      name: z.string().meta(fieldName),
      type: FieldType,
      options: z.array(FieldOption).meta({
        description: "The options, in order. Only `select` and `multiSelect` fields have any.",
      }),
      unit: z.string().nullable().meta(unit),
      isShownOnCard: IsShownOnCard,
    })
    .meta({ id: "CustomField", description: "A field that the cards of a board have." }),
);

const FieldVersion = CustomField.extend({ version: Version });

/** A field with its board, its index and its version. */
export const CustomFieldDetail = viewedWith(
  "board:view",
  FieldVersion.extend({
    boardPublicId: idOf("board"),
    index: viewedWith(
      "board:view",
      z.int().meta({
        description: "Zero-based position. 0 without `board:view`.",
        examples: [0],
      }),
    ),
  }).meta({
    id: "CustomFieldDetail",
    description: "A field of a board with its index and its version.",
  }),
);

/** A field as its events show it. */
export const CustomFieldEvent = viewedWith(
  "board:view",
  FieldVersion.meta({ description: "The field." }),
);

const ColourInput = ColourCode.nullable()
  .meta({ description: "The colour as `#rrggbb`. Null for none.", examples: ["#d73a4a"] })
  .optional();
const NewOption = z
  .strictObject({ name: name(255).meta(optionName), colourCode: ColourInput })
  .meta({ id: "CreateFieldOption", description: "An option of a new field." });
const OptionInput = NewOption.extend({
  publicId: PublicId.meta({
    description: "The id of an option that the field has or had. Absent for a new option.",
  }).optional(),
}).meta({ id: "UpdateFieldOption", description: "An option of a field, which may be new." });

type Named = { name: string; publicId?: string | undefined };
const areDistinct = (values: (string | undefined)[]) => {
  const present = values.filter((value) => value !== undefined);
  return new Set(present).size === present.length;
};
const distinct = [
  (options: Named[]) =>
    areDistinct(options.map((option) => option.name)) &&
    areDistinct(options.map(({ publicId }) => publicId)),
  { error: "Each option must have a name, and an id, of its own" },
] satisfies [unknown, unknown];

const shared = {
  name: name(255).meta(fieldName),
  unit: text(0, 32).nullable().meta(unit),
  isShownOnCard: IsShownOnCard,
};

/** The input of a new field. */
export const NewField = {
  name: shared.name,
  type: FieldType,
  options: z
    .array(NewOption)
    .max(maxOptions)
    .refine(...distinct)
    .meta({ description: "The options of a `select` or `multiSelect` field, in order." })
    .optional(),
  unit: shared.unit.optional(),
  isShownOnCard: shared.isShownOnCard.default(false),
};

/** The input that changes a field. */
export const FieldChanges = {
  name: shared.name.optional(),
  options: z
    .array(OptionInput)
    .max(maxOptions)
    .refine(...distinct)
    .meta({
      description:
        "The options in their new order. An option that is left out is removed, with the values " +
        "that have it. Naming its id again brings both back until they are purged.",
    })
    .optional(),
  unit: shared.unit.optional(),
  isShownOnCard: shared.isShownOnCard.optional(),
};

const FieldValue = z.union([z.string(), Double, z.boolean(), z.array(z.string())]).meta({
  id: "FieldValue",
  description:
    "The value of a field: a text (`text`, `url`), a number, a time (`date`), true or false " +
    "(`checkbox`), the id of an option (`select`) or of a member (`member`), or ids of options " +
    "(`multiSelect`), which are a set: their order means nothing.",
});
const FieldValues = z.record(z.string(), FieldValue);
const examples = [{ f3i7e1l5d9q2: "o2p6t4i8o1n7" }];
const byIds = "by the ids of the fields. A field without a value is left out.";

/** What cards show of their fields, by the ids of the fields. */
export type FieldValues = z.infer<typeof FieldValues>;

/** Refuses keys that a record would silently drop, and more keys than a board has fields. */
function boundedKeys(value: unknown, ctx: z.RefinementCtx): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.length > maxValues)
    ctx.addIssue({ code: "custom", message: `A board has at most ${maxValues} fields.` });
  else if (keys.includes("__proto__"))
    ctx.addIssue({ code: "custom", path: ["__proto__"], message: "This is no id of a field." });
  else return value;
  return z.NEVER;
}

/** Not ids by their form: for the name of an option, the answer says what its field expects. */
const OptionIds = z.array(z.string().max(64)).max(maxOptions);

const ValueInput = z
  .union([text(0, maxFieldText), Double, z.boolean(), OptionIds, z.null()], {
    error:
      `Must be a text of at most ${maxFieldText.toLocaleString("en")} characters, a number, true ` +
      `or false, a list of at most ${maxOptions} ids, or null`,
  })
  .meta({
    id: "GivenFieldValue",
    description: "A new value of a field, of the kinds that `FieldValue` has. Null clears it.",
  });

const ValuesInput = z.record(z.string().max(64), ValueInput);

/** The values that an input gives a card. */
export const FieldValuesInput = z
  .preprocess<unknown, typeof ValuesInput, z.input<typeof ValuesInput>>(
    boundedKeys,
    ValuesInput.meta({ examples: [{}] }),
  )
  .meta({
    description:
      "Values of custom fields of the card's board, by the ids of the fields. Null clears a " +
      "value, as do an empty text and an empty list. Other fields stay as they are. A `date` is " +
      "given as `dueDate` is.",
  })
  .optional();

/** What a card loses of its fields when it moves to another board. */
export const DroppedField = viewedWith(
  "card:view",
  z
    .object({
      name: z.string().meta({ description: "The name of the field.", examples: ["Size"] }),
      type: FieldType,
      value: FieldValue.meta({
        description: "The value: the name of an option, the id of a member.",
        examples: ["Large"],
      }),
    })
    .meta({ id: "DroppedField", description: "A value that the target board has no field for." }),
);

/** A value that one of several cards loses. */
export const DroppedCardField = viewedWith(
  "card:view",
  DroppedField.extend({ cardPublicId: idOf("card") }).meta({
    id: "DroppedCardField",
    description: "A value of a card that the target board has no field for.",
  }),
);

const PublicField = z
  .object({
    name: z.string().meta({ description: "The name of the field.", examples: ["Size"] }),
    type: FieldType,
    unit: z.string().nullable().meta(unit),
    value: FieldValue.meta({
      description: "The value. Options are shown by their names.",
      examples: ["Large"],
    }),
  })
  .meta({ id: "PublicField", description: "A value of a card of a public board, with its field." });

const StoredValue = z.strictObject({
  fieldPublicId: PublicId,
  value: z.union([text(1, maxFieldText), Double, z.boolean(), z.array(PublicId).max(maxOptions)]),
});

/** A field as exports have it. */
const StoredField = z.strictObject({
  publicId: PublicId,
  name: storedName(255).meta(fieldName),
  type: CustomFieldType,
  unit: shared.unit,
  isShownOnCard: z.boolean(),
  options: z
    .array(
      z.strictObject({
        publicId: PublicId,
        name: storedName(255).meta(optionName),
        colourCode: ColourCode.nullable(),
      }),
    )
    .max(maxOptions),
});

/** The custom fields of a board. */
export const customFieldsOnBoard = {
  tables: {
    custom_fields: {
      counted: "fields",
      kind: "field",
      copied: ["position", "name", "type", "unit", "isShownOnCard"],
    },
    custom_field_options: {
      parent: { table: "custom_fields", column: "fieldId" },
      kind: "fieldOption",
      copied: ["position", "name", "colourCode"],
    },
  },
  detail: {
    fields: z.array(CustomField).meta({ description: "The custom fields of the cards, in order." }),
  },
  // Files of older versions have none.
  stored: { fields: z.array(StoredField).default([]) },
  lines: { field: viewedWith("board:view", CustomField.extend({ boardPublicId: z.string() })) },
} as const satisfies AnyPart;

/** The values of custom fields on a card. */
export const customFieldsPart = {
  tables: { card_field_values: {} },
  summary: {
    fields: FieldValues.meta({
      description: `The values of the fields with \`isShownOnCard\`, ${byIds}`,
      examples,
    }),
  },
  detail: {
    fields: FieldValues.meta({
      description: `The values of the custom fields, ${byIds}`,
      examples,
    }),
  },
  public: {
    fields: z.array(PublicField).meta({
      description: "The values of the fields with `isShownOnCard`, without members, in order.",
    }),
  },
  // Files of older versions have none.
  stored: { fields: z.array(StoredValue).default([]) },
  counted: ["fields"],
  lines: {
    cardFields: viewedWith(
      "card:view",
      z.object({
        cardPublicId: z.string(),
        fields: FieldValues.meta({ description: `The values of all fields, ${byIds}` }),
      }),
    ),
  },
  selected: "the values of all custom fields of cards",
  copied: {
    what: "the values of custom fields",
    by: "withFields",
    also: "copyFields",
    isDefault: true,
    onBoards: true,
  },
} as const satisfies Part;
