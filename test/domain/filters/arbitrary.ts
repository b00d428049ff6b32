import { filterFields, opsOf, type FilterField } from "../../../src/contract/filter/fields.ts";
import { periodNames } from "../../../src/contract/filter/periods.ts";
import type { FilterLeaf, FilterTree, FilterValue } from "../../../src/contract/filter/tree.ts";
import fc from "../../support/fast-check.ts";

/** Values that occur on cards, by the field. */
export type Values = Readonly<Record<string, readonly (string | number | boolean)[]>>;

const moments = fc.oneof(
  fc.constantFrom(...periodNames, "now", "next 7 days", "last 2 days", "next 1 day"),
  fc.constantFrom("0001-01-01", "9999-12-31", "2041-03-31", "2041-10-27", "2040-02-29"),
  fc
    .date({ min: new Date("2041-03-25T00:00Z"), max: new Date("2041-04-07T00:00Z") })
    .map((date) => date.toISOString()),
);

function valueOf(name: string, field: FilterField, values: Values) {
  const known = values[name] ?? [];
  switch (field.kind) {
    case "number":
      return fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom(1.5, 1e300, -0));
    case "flag":
      return fc.boolean();
    case "moment":
      return moments;
    case "choice":
      return fc.constantFrom(...(field.options ?? []));
    default:
      return fc.constantFrom(...known, "nosuchthing1", ...(field.isMember ? ["me"] : []));
  }
}

type Fields = Readonly<Record<string, FilterField>>;

/** A valid condition. */
function leafOf(values: Values, fields: Fields): fc.Arbitrary<FilterLeaf> {
  return fc.constantFrom(...Object.entries(fields)).chain(([name, field]) =>
    fc.constantFrom(...opsOf(field)).chain((op): fc.Arbitrary<FilterLeaf> => {
      if (op === "isEmpty" || op === "isNotEmpty") return fc.constant({ field: name, op });
      const value = valueOf(name, field, values);
      const many = op === "isAnyOf" || op === "isNoneOf";
      const given = many ? fc.array(value, { minLength: 1, maxLength: 3 }) : value;
      return given.map((one) => ({ field: name, op, value: one as FilterValue }));
    }),
  );
}

/** A valid filter, with groups that are nested. */
export const treeOf = (values: Values, fields: Fields = filterFields): fc.Arbitrary<FilterTree> =>
  fc.letrec<{ tree: FilterTree; leaf: FilterTree }>((tie) => ({
    leaf: leafOf(values, fields),
    tree: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      tie("leaf"),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
      tie("tree").map((not) => ({ not })),
    ),
  })).tree;
