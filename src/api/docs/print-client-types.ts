import { readFileSync, writeFileSync } from "node:fs";
import { failureDescriptions } from "../../contract/failure-codes.ts";
import { errorCodes } from "../../contract/error-codes.ts";
import { filterOps } from "../../contract/filter/tree.ts";

// Last step of the build: writes the type of the router as one file that needs only @trpc/server.
const declared = readFileSync(new URL("../../app/router/index.d.ts", import.meta.url), "utf8");
const types = declared
  .replaceAll('import("../../kernel/request/trpc.ts").TrackedData<', "TrackedData<")
  .replaceAll(/import\("\.\.\/\.\.\/kernel\/request\/(?:context|trpc)\.ts"\)\.\w+/g, "object")
  .replaceAll(
    /import\("\.\.\/\.\.\/(?:platform|contract)\/[a-z/-]+\.ts"\)\.(ErrorCode|Issue|BoardEvent|FilterTree)/g,
    "$1",
  );
const left = /import\("\.[^)]*\)\.\w+/.exec(types);
if (left !== null)
  throw new Error(`The router's type imports ${left[0]}, which clients do not have.`);

const union = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(" | ");
writeFileSync(
  new URL("../../client.d.ts", import.meta.url),
  `/** The codes of errors. */
export type ErrorCode = ${union(Object.keys(errorCodes))};
/** The codes of issues. */
export type FailureCode = ${union(Object.keys(failureDescriptions))};
/** One problem of a request. */
export type Issue = {
    message: string;
    path?: (string | number)[];
    code: FailureCode;
};
/** A condition on one field of a card. */
export type FilterLeaf = {
    /** The name of a field of a card. */
    field: string;
    /** How the field is compared. */
    op: ${union(filterOps)};
    /** What it is compared with. */
    value?: string | number | boolean | readonly (string | number | boolean)[];
    /** Whether what it names is gone: nothing passes. */
    isBroken?: boolean;
};
/** Which cards: those that pass all of some filters, any of them, or not one. */
export type FilterTree = { and: readonly FilterTree[] } | { or: readonly FilterTree[] } | { not: FilterTree } | FilterLeaf;
/** An item of a subscription. */
export type TrackedData<Data> = {
    /** The cursor after the item, from which a subscription resumes. */
    id: string;
    /** The item. */
    data: Data;
};
${types}`,
);
