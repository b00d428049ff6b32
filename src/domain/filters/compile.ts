import {
  builtIn,
  isFilterField,
  type FilterField,
  type FilterFieldName,
} from "../../contract/filter/fields.ts";
import { passesLeaf } from "../../contract/filter/evaluate.ts";
import {
  testOf,
  type Bounds,
  type FilterContext,
  type FilterTest,
} from "../../contract/filter/test-of.ts";
import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import { cardFields } from "../../contract/fields/card.ts";
import type { Field } from "../../contract/fields/field.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { typeOf } from "../declared-fields.ts";
import { blockedCards, hasChildren, isBlocked, parentId } from "../related/related-sql.ts";
import type { CustomFields, CustomFilterField } from "./custom-fields.ts";
import { foldedSql } from "./folded-sql.ts";

/** Who filters cards, and how. */
export type Filtering = FilterContext & {
  /**
   * What the caller may see, or SQL for it; fields that they may not see count as empty.
   */
  may?: ReadonlySet<Permission> | ((permission: Permission) => Sql) | undefined;
  /** Whether each card is looked up by itself: a page reads few, in its order. */
  isPerCard?: boolean;
  /** The custom fields that the filter names. */
  custom?: CustomFields | undefined;
};

/** How the values of a field are tested; `values` are all of one type. */
type Column = (test: FilterTest, filtering: Filtering) => Sql;

const isIn = (value: Sql, values: readonly unknown[], type: Sql) => {
  const texts = values.map(String);
  // Plans of an array are made anew for each.
  const [one] = texts;
  return texts.length === 1 && one !== undefined
    ? sql`${value} = ${one}::${type}`
    : sql`${value} = ANY (${texts}::${type}[])`;
};

/** SQL: whether a text contains a folded one: `fold` of it does. */
const contains = (value: Sql, searched: string) =>
  sql`strpos(${foldedSql(value, searched)}, ${searched}) > 0`;

const [first, last] = [-62_135_596_800_000, 253_402_300_800_000];
/** A moment as PostgreSQL reads it; stored ones are of the years 1 to 9999. */
export function timestamp(moment: number): string {
  if (moment < first) return "-infinity";
  return moment >= last ? "infinity" : new Date(moment).toISOString();
}

/** A column, or an expression, with one value or null. */
const scalar =
  (valueOf: Sql | ((filtering: Filtering) => Sql), type: Sql, isEmpty?: Sql): Column =>
  (test, filtering) => {
    const value = typeof valueOf === "function" ? valueOf(filtering) : valueOf;
    if ("anyOf" in test) return isIn(value, test.anyOf, type);
    if ("isEmpty" in test) return isEmpty ?? sql`${value} IS NULL`;
    if ("contains" in test) return contains(value, test.contains);
    const operators = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` };
    const compared = (["gt", "gte", "lt", "lte"] as const).flatMap((name) => {
      const bound = test.bounds[name];
      if (bound === undefined) return [];
      const input = type === timestamptz ? timestamp(bound) : String(bound);
      return sql`${value} ${operators[name]} ${input}::${type}`;
    });
    return sql.join(compared, sql` AND `);
  };

/** A flag that is stored as the moment since when it is true. */
const flag =
  (column: Sql): Column =>
  (test) => {
    if (!("anyOf" in test) || test.anyOf.length === 0) return sql`false`;
    return test.anyOf.includes(true) ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`;
  };

/** The rows of a pair, such as the labels on the card `c`, and the ids of some of them. */
const paired =
  (rows: Sql, id: Sql, isLive: Sql, idsOf: (publicIds: readonly string[]) => Sql): Column =>
  (test, { isPerCard }) => {
    if ("anyOf" in test) {
      return sql`EXISTS (SELECT FROM ${rows} AND ${id}
        = ANY (ARRAY(${idsOf(test.anyOf.map(String))})) ${isPerCard ? sql`OFFSET 0` : sql.empty})`;
    }
    return sql`NOT EXISTS (SELECT FROM ${rows} AND ${isLive})`;
  };

/** SQL: the ids of labels that are not deleted. */
const labelIds = (publicIds: readonly string[]) => sql`SELECT la.id FROM labels la
  WHERE la."deletedAt" IS NULL AND ${isIn(sql`la."publicId"`, publicIds, sql`text`)}`;
/** SQL: the ids of members who have not been removed. */
const memberIds = (publicIds: readonly string[]) => sql`SELECT m.id FROM members m
  WHERE m.status <> 'removed' AND ${isIn(sql`m."publicId"`, publicIds, sql`text`)}`;

const [text, timestamptz, numeric] = [sql`text`, sql`timestamptz`, sql`numeric`];
const cardNumber = sql`(w."cardPrefix" || '-' || c.number)`;

/** SQL: whether a moment is within some bounds. */
const isWithin = (value: Sql, bounds: Bounds) =>
  scalar(value, timestamptz)({ bounds }, anyFiltering);
const anyFiltering = { now: 0, timeZone: "UTC", weekStartDay: 1, me: null };

/** Bounds that have all values which other ones have. */
const widest = (one: Bounds, other: Bounds): Bounds => ({
  ...(one.lt === undefined || other.lt === undefined ? {} : { lt: Math.max(one.lt, other.lt) }),
  ...(one.gte === undefined || other.gte === undefined
    ? {}
    : { gte: Math.min(one.gte, other.gte) }),
});

/** A date, and whether it is a whole day: both bounds are those of the caller's time zone. */
const date =
  (column: Sql, isAllDay: Sql): Column =>
  (test, filtering) => {
    if (!("bounds" in test) || test.days === undefined)
      return scalar(column, timestamptz)(test, filtering);
    // An index finds what either of them may find.
    return sql`${isWithin(column, widest(test.bounds, test.days))} AND
      CASE WHEN ${isAllDay} THEN ${isWithin(column, test.days)}
      ELSE ${isWithin(column, test.bounds)} END`;
  };
const moment = (column: Sql) => scalar(column, timestamptz);
/** A column that is true or false. */
const boolean =
  (column: Sql): Column =>
  (test) => {
    if (!("anyOf" in test) || test.anyOf.length === 0) return sql`false`;
    return test.anyOf.includes(true) ? column : sql`NOT ${column}`;
  };

/** SQL: the id of the member whose claim holds the card `c`. */
const claimHolder = ({ now }: Filtering) => sql`(SELECT m."publicId" FROM members m
  WHERE m.id = c."claimedById" AND m.status <> 'removed'
    AND c."claimExpiresAt" > ${timestamp(now)}::timestamptz)`;

/** Whether the card can be worked on. */
const isReady: Column = (test, filtering) =>
  boolean(sql`(c."completedAt" IS NULL AND c."archivedAt" IS NULL
    AND ${claimHolder(filtering)} IS NULL AND NOT ${isBlocked})`)(test, filtering);

/** The cards that a card blocks. */
const blocks: Column = (test) => {
  const isOne = "anyOf" in test ? sql`AND ${isIn(sql`o."publicId"`, test.anyOf, text)}` : sql.empty;
  const has = sql`(c."hasRelations" AND EXISTS (SELECT FROM ${blockedCards} ${isOne}))`;
  return "isEmpty" in test ? sql`NOT ${has}` : has;
};

const labelName = sql`(${foldedSql(sql`la.name`)})`;

/** How a field of the card `c` is tested that is one column, by its kind. */
function columnOf(name: string, field: Field): Column {
  const value = sql`c.${sql.identifier(field.column)}`;
  const ofDate = Object.values<Field>(cardFields).find(({ of }) => of === name);
  switch (field.kind) {
    case "flag":
      return flag(value);
    case "allDay":
      return boolean(value);
    case "moment":
      return ofDate ? date(value, sql`c.${sql.identifier(ofDate.column)}`) : moment(value);
    case "cardNumber":
      return scalar(cardNumber, text);
    default:
      // A number may be compared with a part of one.
      return scalar(value, field.kind === "integer" ? numeric : typeOf(field));
  }
}

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);
const ofFields: Readonly<Record<keyof typeof cardFields, Column>> = recordOf(
  Object.entries<Field>(cardFields).map(([name, field]) => [name, columnOf(name, field)]),
);

/** How each field of the card `c`, in the list `l` of the workspace `w`, is tested. */
const columns: Readonly<Record<FilterFieldName, Column>> = {
  ...ofFields,
  title: scalar(sql`c.title`, text, sql`c.title = ''`),
  description: scalar(sql`c.description`, text, sql`coalesce(c.description, '') = ''`),
  text: scalar(sql`(${cardNumber} || E'\\n' || c.title)`, text),
  listPublicId: scalar(sql`l."publicId"`, text),
  listName: scalar(
    sql`(SELECT ${foldedSql(sql`n.name`)} FROM lists n WHERE n.id = c."listId")`,
    text,
  ),
  labelNames: (test) => {
    const isNamed = "anyOf" in test ? sql`AND ${isIn(labelName, test.anyOf, text)}` : sql.empty;
    const has = sql`EXISTS (SELECT FROM card_labels cl JOIN labels la ON la.id = cl."labelId"
      AND la."deletedAt" IS NULL WHERE cl."cardId" = c.id ${isNamed})`;
    return "anyOf" in test ? has : sql`NOT ${has}`;
  },
  boardPublicId: scalar(sql`(SELECT b."publicId" FROM boards b WHERE b.id = c."boardId")`, text),
  labels: paired(
    sql`card_labels cl WHERE cl."cardId" = c.id`,
    sql`cl."labelId"`,
    sql`EXISTS (SELECT FROM labels la WHERE la.id = cl."labelId" AND la."deletedAt" IS NULL)`,
    labelIds,
  ),
  members: paired(
    sql`card_members cm WHERE cm."cardId" = c.id`,
    sql`cm."memberId"`,
    sql`EXISTS (SELECT FROM members m WHERE m.id = cm."memberId" AND m.status <> 'removed')`,
    memberIds,
  ),
  claim: scalar(claimHolder, text),
  commentCount: scalar(sql`c."commentCount"`, numeric),
  attachmentCount: scalar(sql`c."attachmentCount"`, numeric),
  "checklistItems.total": scalar(sql`c."itemCount"`, numeric),
  "checklistItems.completed": scalar(sql`c."completedItemCount"`, numeric),
  isBlocked: boolean(isBlocked),
  isReady,
  parent: scalar(parentId, text),
  blocks,
  hasChildren: boolean(hasChildren),
};

/** The columns of the values of custom fields. */
const customColumns: Readonly<Record<CustomFilterField["type"], Column>> = {
  text: scalar(sql`v.text`, text),
  url: scalar(sql`v.text`, text),
  number: scalar(sql`v.number`, numeric),
  date: date(sql`v.date`, sql`v."isAllDay"`),
  checkbox: () => sql`v.checked`,
  select: (test) => sql`v."optionId" = ANY (ARRAY(${optionIds(idsIn(test))}))`,
  multiSelect: (test) => sql`v."optionId" = ANY (ARRAY(${optionIds(idsIn(test))}))`,
  member: (test) => sql`v."memberId" = ANY (ARRAY(${memberIdsIn(idsIn(test))}))`,
};
/** The ids that a test names; null for any. */
const idsIn = (test: FilterTest) => ("anyOf" in test ? test.anyOf.map(String) : null);
const optionIds = (ids: readonly string[] | null) => sql`SELECT o.id FROM custom_field_options o
  WHERE o."fieldId" = v."fieldId" AND o."deletedAt" IS NULL
    ${ids === null ? sql.empty : sql`AND ${isIn(sql`o."publicId"`, ids, text)}`}`;
const memberIdsIn = (ids: readonly string[] | null) =>
  ids === null
    ? sql`SELECT m.id FROM members m WHERE m.id = v."memberId" AND m.status <> 'removed'`
    : memberIds(ids);

/** SQL: a value `v` of a custom field that fulfils a test, or any, which `isEmpty` asks for. */
function isCustomValue(
  { id, type }: CustomFilterField,
  test: FilterTest,
  filtering: Filtering,
): Sql {
  const hasIds = type === "select" || type === "multiSelect" || type === "member";
  const isAny = "isEmpty" in test && !hasIds;
  return sql`v."fieldId" = ${id}
    ${isAny ? sql.empty : sql`AND ${customColumns[type](test, filtering)}`}`;
}

const customField =
  (field: CustomFilterField): Column =>
  (test, filtering) => {
    const has = sql`EXISTS (SELECT FROM card_field_values v WHERE v."cardId" = c.id
      AND ${isCustomValue(field, test, filtering)} ${filtering.isPerCard ? sql`OFFSET 0` : sql.empty})`;
    // A checkbox without a value is not checked.
    const isUnchecked = field.type === "checkbox" && "anyOf" in test && !test.anyOf.includes(true);
    return isUnchecked || "isEmpty" in test ? sql`NOT ${has}` : has;
  };

/** A field is empty for who may not see it. */
const emptyOf = ({ kind }: FilterField) => {
  if (kind === "ids" || kind === "names") return [];
  return kind === "number" ? 0 : null;
};

/** SQL: whether the card `c`, in the list `l` of the workspace `w`, passes a condition, or null. */
function compileLeaf(leaf: FilterLeaf, filtering: Filtering): Sql {
  const custom = filtering.custom?.get(leaf.field);
  const field = builtIn(leaf.field) ?? custom;
  if (field === undefined) return sql`false`;
  const { may } = filtering;
  if (field.needs !== undefined && may !== undefined) {
    const hidden = passesLeaf(emptyOf(field), leaf, field, filtering) ? sql`true` : sql`false`;
    const shown = compileLeaf(leaf, { ...filtering, may: undefined });
    if (typeof may === "function")
      return sql`CASE WHEN ${may(field.needs)} THEN ${shown} ELSE ${hidden} END`;
    if (!may.has(field.needs)) return hidden;
  }
  const { test, isNegated } = testOf(leaf, field, filtering);
  const column = isFilterField(leaf.field) ? columns[leaf.field] : custom && customField(custom);
  const isFulfilled = column?.(test, filtering) ?? sql`false`;
  const passes = isNegated ? sql`(${isFulfilled}) IS NOT TRUE` : isFulfilled;
  // A card of another board passes no condition, not even one that a card without a value passes.
  return custom === undefined ? passes : sql`c."boardId" = ${custom.boardId} AND ${passes}`;
}

/**
 * SQL: whether the card `c`, in the list `l` of the workspace `w`, passes a filter.
 *
 * A comparison with null is null, which passes as little as false does.
 */
export function compileFilter(tree: FilterTree, filtering: Filtering): Sql {
  const all = (trees: readonly FilterTree[], separator: Sql) =>
    sql.join(
      trees.map((one) => sql.unprepared(sql`(${compileFilter(one, filtering)})`)),
      separator,
    );
  if ("and" in tree) return all(tree.and, sql` AND `);
  if ("or" in tree) return all(tree.or, sql` OR `);
  if ("not" in tree) return sql`(${compileFilter(tree.not, filtering)}) IS NOT TRUE`;
  return compileLeaf(tree, filtering);
}
