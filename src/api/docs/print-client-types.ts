import { readFileSync, writeFileSync } from "node:fs";
import { failureDescriptions } from "../../contract/failure-codes.ts";
import { errorCodes } from "../../contract/error-codes.ts";

// Last step of the build: writes the type of the router as one file that needs only @trpc/server.
const declared = readFileSync(new URL("../../app/router/index.d.ts", import.meta.url), "utf8");
const types = declared
  .replaceAll('import("../../kernel/request/trpc.ts").TrackedData<', "TrackedData<")
  .replaceAll(/import\("\.\.\/\.\.\/kernel\/request\/(?:context|trpc)\.ts"\)\.\w+/g, "object")
  .replaceAll(
    /import\("\.\.\/\.\.\/(?:platform|contract)\/[a-z-]+\.ts"\)\.(ErrorCode|Issue|BoardEvent)/g,
    "$1",
  );
const left = /import\("\.[^)]*\)\.\w+/.exec(types);
if (left !== null)
  throw new Error(`The router's type imports ${left[0]}, which clients do not have.`);

const union = (codes: object) =>
  Object.keys(codes)
    .map((code) => JSON.stringify(code))
    .join(" | ");
writeFileSync(
  new URL("../../client.d.ts", import.meta.url),
  `/** The codes of errors. */
export type ErrorCode = ${union(errorCodes)};
/** The codes of issues. */
export type FailureCode = ${union(failureDescriptions)};
/** One problem of a request. */
export type Issue = {
    message: string;
    path?: (string | number)[];
    code: FailureCode;
};
/** An item of a subscription. */
export type TrackedData<Data> = {
    /** The cursor after the item, from which a subscription resumes. */
    id: string;
    /** The item. */
    data: Data;
};
${types}`,
);
