import { builtIn } from "../../contract/filter/fields.ts";
import { testOf } from "../../contract/filter/test-of.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conditionsOf, type CardSelection } from "../cards/filters.ts";
import { compileFilter, timestamp, type Filtering } from "../filters/compile.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Zoned = { timeZone: string | null };
/** A workspace of the caller, with the time zone and the week that decide its days. */
export type Days = Zoned & { weekStartDay: number };

/** What the cards of a caller must pass, in SQL. */
export type CardConditions = {
  /** Whether the card `c`, in the list `l` of the workspace `w`, passes. */
  isPassing: Sql;
  /** The first and the last due date in the workspace `w`; `infinity` is that of cards without one. */
  from: Sql;
  until: Sql;
};

/** Conditions that workspaces with the same days share. */
type Shared = { days: Days[]; dates: ReturnType<typeof datesOf>; sql: Sql };

/** No condition. */
const noConditions: CardConditions = {
  isPassing: sql`true`,
  from: sql`timestamptz '-infinity'`,
  until: sql`timestamptz 'infinity'`,
};

/** The due dates that some conditions leave. */
function datesOf(conditions: readonly FilterTree[], filtering: Filtering) {
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const field = builtIn("dueDate");
  for (const leaf of conditions) {
    if (field === undefined || !("field" in leaf) || leaf.field !== "dueDate") continue;
    const { test, isNegated } = testOf(leaf, field, filtering);
    if (isNegated) continue;
    if ("isEmpty" in test) from = Number.POSITIVE_INFINITY;
    if (!("bounds" in test)) continue;
    const { bounds, days = bounds } = test;
    from = Math.max(from, Math.min(bounds.gte ?? from, days.gte ?? from));
    until = Math.min(until, Math.max(bounds.lt ?? until, days.lt ?? until));
  }
  return { from: timestamp(from), until: timestamp(until) };
}

/**
 * The conditions on the cards of a caller, whose days are those of each workspace.
 *
 * Workspaces where the same is meant share their conditions; usually all do.
 */
export function cardConditions(
  selection: Pick<CardSelection, "due" | "filter">,
  caller: Zoned,
  workspaces: readonly Days[],
  filtering: Omit<Filtering, "timeZone" | "weekStartDay">,
): CardConditions {
  const conditions = conditionsOf(selection);
  if (conditions.length === 0) return noConditions;
  const shared = new Map<string, Shared>();
  for (const days of workspaces) {
    const { weekStartDay } = days;
    const workspaceFiltering = { ...filtering, timeZone: timeZoneFor(caller, days), weekStartDay };
    const compiled = sql.join(
      [sql`true`, ...conditions.map((tree) => sql`(${compileFilter(tree, workspaceFiltering)})`)],
      sql` AND `,
    );
    const dates = datesOf(conditions, workspaceFiltering);
    const key = JSON.stringify([compiled.text, compiled.values, dates], (_, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    getOrInsert(shared, key, () => ({ days: [], dates, sql: compiled })).days.push(days);
  }
  const [first, ...others] = shared.values();
  if (first === undefined) return noConditions;
  const inEach = (part: (variant: Shared) => Sql): Sql => {
    if (others.length === 0) return part(first);
    const cases = others.map((variant) => sql`WHEN ${isOneOf(variant.days)} THEN ${part(variant)}`);
    return sql`CASE ${sql.join(cases, sql` `)} ELSE ${part(first)} END`;
  };
  const isPassing = inEach((variant) => variant.sql);
  return {
    isPassing: selection.filter === undefined ? isPassing : sql.unprepared(isPassing),
    from: inEach(({ dates }) => sql`${dates.from}::timestamptz`),
    until: inEach(({ dates }) => sql`${dates.until}::timestamptz`),
  };
}

/** SQL: whether the days of the workspace `w` are those of one of some calendars. */
function isOneOf(calendars: readonly Days[]): Sql {
  const zones = calendars.map(({ timeZone }) => timeZone ?? "");
  const starts = calendars.map(({ weekStartDay }) => String(weekStartDay));
  return sql`(coalesce(w."timeZone", ''), w."weekStartDay") IN (SELECT zone, start::int
    FROM unnest(${zones}::text[], ${starts}::text[]) AS days(zone, start))`;
}
