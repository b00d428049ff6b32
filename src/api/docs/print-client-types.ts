import { readFileSync, writeFileSync } from "node:fs";
import { failures } from "../../platform/errors.ts";

// Last step of the build: writes the type of the router as one file that needs only @trpc/server.
const declared = readFileSync(new URL("../../app/router/index.d.ts", import.meta.url), "utf8");
const types = declared
  .replaceAll(/import\("\.\.\/\.\.\/kernel\/request\/(?:context|trpc)\.ts"\)\.\w+/g, "object")
  .replaceAll(/import\("\.\.\/\.\.\/platform\/errors\.ts"\)\.(FailureCode|Issue)/g, "$1");
const left = /import\("\.[^)]*\)\.\w+/.exec(types);
if (left !== null)
  throw new Error(`The router's type imports ${left[0]}, which clients do not have.`);

const codes = Object.keys(failures).map((code) => JSON.stringify(code));
writeFileSync(
  new URL("../../client.d.ts", import.meta.url),
  `/** The codes of failures. */
export type FailureCode = ${codes.join(" | ")};
/** One problem of a request. */
export type Issue = { message: string; path?: (string | number)[]; code?: string };
${types}`,
);
