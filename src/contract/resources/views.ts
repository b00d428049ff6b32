import { z } from "zod";
import { customFieldId } from "../filter/fields.ts";
import { dueGroups, groupFields, groupingOf, isGroupField, noGroup } from "../filter/groupings.ts";
import { isFilter } from "../filter/check.ts";
import { Filter, ShownFilter, ViewSortKeys } from "../filter/schema.ts";
import { CreatedAt, UpdatedAt, Version } from "../fields/shared.ts";
import { filterLimits } from "../filter/tree.ts";
import { name, PublicId, storedName, Timestamp } from "../vocabulary/texts.ts";
import { exampleIds, idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { MemberRef } from "./members.ts";

/** The limits of one view. */
export const viewLimits = {
  /** Boards that it names. */
  boards: 100,
  /** Characters of its filter as JSON. */
  filter: 10_000,
  /** Cards that are counted in its groups. */
  countedCards: 10_000,
  /** Groups that are shown. */
  groups: 1_000,
} as const;

const Scope = z
  .enum(["private", "board", "workspace"])
  .meta({
    id: "ViewScope",
    description:
      "Who sees a view. `private`: only the member who created it. `board`: who sees its board. " +
      "`workspace`: all members with `board:view`.",
  })
  .meta({ description: "Who sees the view. It never changes.", examples: ["private"] });

const Layout = z
  .enum(["board", "list", "table", "calendar", "timeline"])
  .meta({ id: "ViewLayout", description: "How clients show a view." })
  .meta({
    description: "How clients are asked to show the cards. The service ignores it.",
    examples: ["table"],
  });

/** Whether the names of what cards are grouped by can stand for it. */
export const isNamedGroup = (field: string): boolean =>
  groupingOf(field)?.name !== undefined || customFieldId(field) !== undefined;

/** What the cards of a view are grouped by. */
export type Grouping = { field: string; byName: boolean };

/** How a grouping is stored, and exported: as one text. */
export const groupingText = (grouping: { field: string; byName?: boolean | undefined }): string =>
  `${grouping.byName === true ? "byName:" : ""}${grouping.field}`;

/** The grouping that was stored as a text. */
export const groupingIn = (text: string): Grouping => ({
  field: text.replace(/^byName:/, ""),
  byName: text.startsWith("byName:"),
});

const groupField = {
  description:
    `What cards are grouped by: ${groupFields.map((field) => `\`${field}\``).join(", ")}, or ` +
    "`fields.<fieldPublicId>` of a `select` or `multiSelect` field.",
  examples: ["label"],
};
/** A field to group cards by, as input. */
export const groupInput = z
  .string()
  .refine((field) => isGroupField(field) || customFieldId(field) !== undefined, {
    error: `Must be one of ${groupFields.join(", ")}, or fields.<fieldPublicId>`,
  })
  .meta(groupField);
const viewName = { description: "The name of the view.", examples: ["Due this week"] };
const groupBy = {
  description: "What the cards are grouped by. Null if they are not grouped.",
  examples: [{ field: "label", byName: true }],
};
/** Whether groups are those of names. */
export const ByName = z.boolean().meta({
  description:
    "Whether lists, labels or options of one name are one group, whatever their boards. Of a " +
    "custom field, those of all fields of its name are.",
  examples: [true],
});

const SortedBy = viewedWith(
  "board:view",
  z
    .object({
      field: z.string().meta({ description: "What to sort by.", examples: ["dueDate"] }),
      order: z.string().meta({ description: "`asc` or `desc`.", examples: ["asc"] }),
    })
    .meta({ id: "ViewSortKey", description: "One key of the order of a view." }),
);
const ShownGrouping = viewedWith(
  "board:view",
  z
    .object({ field: z.string().meta(groupField), byName: ByName })
    .meta({ id: "ViewGrouping", description: "What the cards of a view are grouped by." }),
);

/** A view as events show it: as it was saved. */
export const ViewInfo = viewedWith(
  "board:view",
  z
    .object({
      publicId: idOf("view"),
      name: z.string().meta(viewName),
      scope: Scope,
      boardPublicId: idOf("board", "Public id of the board, if the scope is `board`. Else null.")
        .nullable()
        .meta({ examples: [null] }),
      boards: z
        .array(z.string())
        .nullable()
        .meta({
          description:
            "Public ids of the boards whose cards it shows. Null if it shows all boards that the " +
            "reader sees, or has the scope `board`.",
          examples: [[exampleIds.board]],
        }),
      filter: ShownFilter.nullable().meta({
        description: "Which cards it shows, as in `board.queryCards`. Null for all.",
        examples: [{ field: "dueDate", op: "within", value: "thisWeek" }],
      }),
      sortBy: z
        .array(SortedBy)
        .meta({ description: "The keys of the order, as in `board.queryCards`." }),
      groupBy: ShownGrouping.nullable().meta(groupBy),
      layout: Layout,
      version: Version,
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
    })
    .meta({ id: "ViewInfo", description: "A view as it was saved." }),
);

/** A view as its readers see it. */
export const View = viewedWith(
  "board:view",
  ViewInfo.extend({
    workspacePublicId: idOf("workspace"),
    createdBy: viewedWith("member:view", MemberRef.meta({ description: "The member." }))
      .nullable()
      .meta({ description: "The member who created it. Null if the account was deleted." }),
    isBroken: z.boolean().meta({
      description: "Whether it names something that is gone, or that the caller may not see.",
      examples: [false],
    }),
    broken: z.array(z.string()).meta({
      description:
        "The paths of what is broken, such as `filter.and.0`, `sortBy.1`, `groupBy` or `boards.2`. " +
        "A broken condition passes no card. Other broken parts have no effect.",
      examples: [[]],
    }),
  }).meta({ id: "View", description: "A saved view: which cards it shows, and how." }),
);

const boardsInput = z
  .array(PublicId)
  .min(1, "Must have at least one id; null means all boards")
  .max(viewLimits.boards)
  .refine((ids) => new Set(ids).size === ids.length, { error: "Each board may be named once" })
  .nullable()
  .meta({
    description:
      "Public ids of the boards whose cards it shows. Null or absent for all boards that each " +
      "reader sees. Not allowed with scope `board`.",
    examples: [[exampleIds.board]],
  });

/** The filter of a view, as input. */
export const ViewFilter = Filter.refine(
  (filter) => JSON.stringify(filter).length <= viewLimits.filter,
  {
    error: `A saved filter has at most ${viewLimits.filter.toLocaleString("en")} characters as JSON`,
  },
);

const shared = {
  name: name(255).meta(viewName),
  boards: boardsInput.optional(),
  filter: ViewFilter.nullable()
    .meta({
      description:
        "Which cards it shows, as in `board.queryCards`. `me` and relative dates are those of " +
        "each reader. Null for all cards.",
      examples: [{ field: "dueDate", op: "within", value: "thisWeek" }],
    })
    .optional(),
  sortBy: ViewSortKeys.nullable().optional(),
  groupBy: z
    .strictObject({ field: groupInput, byName: ByName.optional() })
    .refine(({ field, byName }) => byName !== true || isNamedGroup(field), {
      error: "Only lists, labels and options are grouped by name",
      path: ["byName"],
    })
    .meta({ id: "GivenViewGrouping", description: "What to group the cards of a view by." })
    .nullable()
    .meta(groupBy)
    .optional(),
};

/** The input of a new view. */
export const NewView = {
  ...shared,
  scope: Scope.default("private"),
  boardPublicId: PublicId.meta({
    description: "Public id of the board of a view with scope `board`.",
  }).optional(),
  layout: Layout.default("list"),
};

/** The input that changes a view. */
export const ViewChanges = {
  ...shared,
  name: shared.name.optional(),
  layout: Layout.optional(),
};

/** A view as exports have it. `filter` is a filter, or null. */
export const StoredView = z.strictObject({
  publicId: PublicId,
  name: storedName(255).meta(viewName),
  boardPublicId: PublicId.nullable(),
  ownerPublicId: PublicId.nullable(),
  boards: z.array(PublicId).max(viewLimits.boards),
  filter: z.unknown().refine((filter) => filter === null || isFilter(filter), {
    error: "Must be a filter or null",
  }),
  sortBy: z
    .array(z.strictObject({ field: z.string().max(80), order: z.enum(["asc", "desc"]) }))
    .max(filterLimits.sortKeys),
  groupBy: z.string().max(80).nullable(),
  layout: Layout,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ViewGroup = viewedWith(
  "card:view",
  z
    .object({
      key: z.string().meta({
        description:
          "The value that the cards share: the id of a list, label, member or option, a priority, or a " +
          "period: " +
          `${dueGroups
            .slice(0, -1)
            .map((dueGroup) => `\`${dueGroup}\``)
            .join(", ")}. Cards without a ` +
          `value have the key \`${noGroup}\`. With \`byName\` it is the name, behind \`name:\`.`,
        examples: ["high"],
      }),
      name: z
        .string()
        .nullable()
        .meta({
          description:
            "The name of the list, label, member or option. Null for other groups, and for lists " +
            "if the caller lacks `list:view`.",
          examples: [null],
        }),
      colourCode: z
        .string()
        .nullable()
        .meta({
          description: "The colour of the label or option, if it has one.",
          examples: [null],
        }),
      boardPublicId: idOf(
        "board",
        "Public id of the board of the list, label or option. Else null.",
      )
        .nullable()
        .meta({ examples: [null] }),
      count: z.int().meta({ description: "The number of its cards.", examples: [12] }),
    })
    .meta({ id: "ViewGroup", description: "Cards of a view that have the same value." }),
);

/** The groups of a view. */
export const ViewGroups = viewedWith(
  "card:view",
  z
    .object({
      groups: z.array(ViewGroup).meta({
        description: "The groups with cards, in order. Empty for a view without `groupBy`.",
      }),
      total: z
        .int()
        .meta({ description: "The number of all cards that were counted.", examples: [12] }),
      isExact: z.boolean().meta({
        description: `Whether all cards were counted; at most ${viewLimits.countedCards.toLocaleString("en")} are.`,
        examples: [true],
      }),
    })
    .meta({ id: "ViewGroups", description: "Groups of cards, with the numbers of cards." }),
);
