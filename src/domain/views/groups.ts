import type { z } from "zod";
import {
  dueGroups,
  isGroupField,
  noGroup,
  type GroupField,
} from "../../contract/filter/groupings.ts";
import { viewLimits, ViewGroups } from "../../contract/resources/views.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isShownCard } from "../boards/contents-sql.ts";
import { filteringOf, isPassing, parentsOfCard } from "../cards/filters.ts";
import type { CustomFields } from "../filters/custom-fields.ts";
import { foldedSql } from "../filters/folded-sql.ts";
import { compileFilter } from "../filters/compile.ts";
import { dueTrees } from "./group.ts";
import { parentOf } from "../related/related-sql.ts";
import { selectionOf, type ViewGrouping, type ViewSelection } from "./selection.ts";

type Groups = z.infer<typeof ViewGroups>;

/** Counts the cards of the groups of a view. */
export const viewGroups = query("view.groups")
  .meta(
    rest("Views").get(
      "/views/{viewPublicId}/groups",
      "Count the cards of a view",
      "Returns the groups of a view with the number of cards in each, and their total. A card with " +
        "several labels, members or options is in several groups. At most " +
        `${viewLimits.countedCards.toLocaleString("en")} cards are counted. If there are more, ` +
        "`isExact` is false and the numbers are lower bounds.",
    ),
  )
  .output(ViewGroups)
  .query(async ({ ctx }) => countGroups(ctx.db.query, await selectionOf(ctx, ctx.deps.clock())));

/** A value of a card, as rows to join to the card `c` in the list `l`. */
type Value = { join: Sql; key: Sql; name: Sql; colour: Sql; board: Sql; first: Sql; second: Sql };

const none = sql`NULL::text`;
const plain = { join: sql.empty, name: none, colour: none, board: none, second: none };
const boardOf = (id: Sql) => sql`(SELECT b."publicId" FROM boards b WHERE b.id = ${id})`;

/** The values that cards are grouped by. */
const values: Readonly<Record<GroupField, (selection: ViewSelection["selection"]) => Value>> = {
  list: ({ asker }) => ({
    ...plain,
    key: sql`l."publicId"`,
    name: asker?.may?.has("list:view") === true ? sql`l.name` : none,
    board: boardOf(sql`l."boardId"`),
    first: sql`l."boardId"`,
    second: sql`l.position`,
  }),
  label: () => ({
    ...plain,
    join: sql`LEFT JOIN (card_labels cl JOIN labels la ON la.id = cl."labelId"
      AND la."deletedAt" IS NULL) ON cl."cardId" = c.id`,
    key: sql`la."publicId"`,
    name: sql`la.name`,
    colour: sql`la."colourCode"`,
    board: boardOf(sql`la."boardId"`),
    first: sql`la.name`,
  }),
  member: () => ({
    ...plain,
    join: sql`LEFT JOIN (card_members cm JOIN members m ON m.id = cm."memberId"
      AND m.status <> 'removed' LEFT JOIN users u ON u.id = m."userId") ON cm."cardId" = c.id`,
    key: sql`m."publicId"`,
    name: sql`CASE WHEN m.id IS NOT NULL THEN ${memberName} END`,
    first: sql`CASE WHEN m.id IS NOT NULL THEN ${memberName} END`,
  }),
  parent: () => ({
    ...plain,
    join: sql`LEFT JOIN LATERAL ${parentOf} ON true`,
    key: sql`p."publicId"`,
    name: sql`p.title`,
    board: boardOf(sql`CASE WHEN p."publicId" IS NOT NULL THEN c."boardId" END`),
    first: sql`p.title`,
  }),
  priority: () => ({
    ...plain,
    key: sql`c.priority::text`,
    first: sql`-array_position(enum_range(NULL::"CardPriority"), c.priority)`,
  }),
  due: (selection) => {
    const key = keyOfDue(selection);
    return { ...plain, key, first: sql`array_position(${[...dueGroups]}::text[], ${key})` };
  },
};

const valueOf = ({ field, custom }: ViewGrouping, { selection }: ViewSelection): Value =>
  isGroupField(field) ? values[field](selection) : optionOf(custom);

const fieldIds = (custom: CustomFields) => [...custom.values()].map(({ id }) => id);

/** The option that cards have in some fields. */
function optionOf(custom: CustomFields): Value {
  return {
    ...plain,
    join: sql`LEFT JOIN (card_field_values v JOIN custom_field_options o
      ON o.id = v."optionId" AND o."deletedAt" IS NULL)
      ON v."cardId" = c.id AND v."fieldId" = ANY (${fieldIds(custom)}::bigint[])`,
    key: sql`o."publicId"`,
    name: sql`o.name`,
    colour: sql`o."colourCode"`,
    board: sql`(SELECT b."publicId" FROM custom_fields f JOIN boards b ON b.id = f."boardId"
      WHERE f.id = o."fieldId")`,
    first: sql`o.position`,
  };
}

/** The values as their names: lists and others of one name are one group, whatever their boards. */
const namedValue = (value: Value): Value => ({
  ...value,
  key: foldedSql(value.name),
  board: none,
  first: value.second === none ? value.first : value.second,
});

function keyOfDue(selection: ViewSelection["selection"]): Sql {
  const filtering = filteringOf(selection);
  const cases = dueGroups.map(
    (group) => sql`WHEN (${compileFilter(dueTrees[group], filtering)}) THEN ${group}::text`,
  );
  return sql`CASE ${sql.join(cases, sql` `)} END`;
}

type Counted = { total: number; groups: Groups["groups"] };

/** Counts cards of boards by a field. */
export async function countGroups(read: Query, shown: ViewSelection): Promise<Groups> {
  const [counted] = await read<Counted>(groupsOf(shown));
  const { total = 0, groups = [] } = counted ?? {};
  return {
    groups: groups.slice(0, viewLimits.groups),
    total: Math.min(total, viewLimits.countedCards),
    isExact: total <= viewLimits.countedCards && groups.length <= viewLimits.groups,
  };
}

const most = sql.number(viewLimits.countedCards);

/** SQL: the groups of a view, and its number of cards; one more than are counted if there are more. */
function groupsOf(shown: ViewSelection): Sql {
  const { boards, selection, groupBy } = shown;
  const own = groupBy === null ? null : valueOf(groupBy, shown);
  const isNamed = groupBy?.byName === true;
  const value = own !== null && isNamed ? namedValue(own) : own;
  const groups =
    value === null
      ? sql`'[]'::json`
      : sql`(SELECT coalesce(json_agg(json_build_object('key', coalesce(${isNamed ? sql`'name:' || g.name` : sql`g.key`}, ${noGroup}::text),
            'name', g.name, 'colourCode', g.colour, 'boardPublicId', g.board, 'count', g.count)
            ORDER BY g.nth), '[]')
          FROM (SELECT v.key, min(v.name) AS name, min(v.colour) AS colour, min(v.board) AS board,
              count(${isNamed ? sql`DISTINCT v.id` : sql`*`})::int AS count, row_number()
              OVER (ORDER BY v.key IS NULL, min(v.first), min(v.second), v.key) AS nth
            FROM (SELECT c.id, ${value.key} AS key, ${value.name} AS name, ${value.colour} AS colour,
                ${value.board} AS board, ${value.first} AS first, ${value.second} AS second
              FROM counted c JOIN lists l ON l.id = c."listId" ${value.join}) v
            GROUP BY v.key
            ORDER BY nth LIMIT ${viewLimits.groups + 1}) g)`;
  return sql`WITH passing AS MATERIALIZED (SELECT c.* FROM cards c ${parentsOfCard}
      WHERE c."boardId" = ANY (${boards}::bigint[]) AND ${isShownCard(selection)}
        AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL ${isPassing(selection, true)}
      LIMIT ${most} + 1),
    counted AS MATERIALIZED (SELECT * FROM passing LIMIT ${most})
    SELECT (SELECT count(*) FROM passing)::int AS total, ${groups} AS groups`;
}
