import { readFileSync, writeFileSync } from "node:fs";
import { failures } from "../../platform/errors.ts";

// Last step of the build: the router's type as one file that needs nothing but @trpc/server, for frontends that have no server beside them.
const declared = readFileSync(new URL("../../app/router/index.d.ts", import.meta.url), "utf8");
const types = declared
  .replaceAll(/import\("\.\.\/\.\.\/kernel\/request\/(?:context|trpc)\.ts"\)\.\w+/g, "object")
  .replaceAll(/import\("\.\.\/\.\.\/platform\/errors\.ts"\)\.(FailureCode|Issue)/g, "$1");
const left = /import\("\.[^)]*\)\.\w+/.exec(types);
if (left !== null) throw new Error(`The router's type needs ${left[0]}, which no client has.`);

const codes = Object.keys(failures).map((code) => JSON.stringify(code));
writeFileSync(
  new URL("../../client.d.ts", import.meta.url),
  `/** The codes of failures. */
export type FailureCode = ${codes.join(" | ")};
/** One thing that was wrong, and where. */
export type Issue = { message: string; path?: (string | number)[]; code?: string };
${types}`,
);
