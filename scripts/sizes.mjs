// npm run sizes: prints the sizes of functions and files in src. Fails on one that is too large,
// and on a statement that numbers its parameters by hand.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";

/** The most lines of a function and of a file, and the most columns of a line. */
const most = { functions: 60, files: 200, columns: 100 };
/** The exceptions, with the reason. */
const longFiles = new Map([
  ["contract/policy.ts", "a table: one row per operation"],
  ["contract/events.ts", "a table: one row per event type"],
  ["contract/failure-codes.ts", "a table: one row per code"],
  ["kernel/schemas/values.ts", "a table: one example per field"],
  ["contract/texts/fields.ts", "a table: one text per field"],
  ["client/store/core.ts", "connects all parts of a store, each in one place"],
  ["client/store/replica.ts", "one state machine: copies, their reads and their feeds"],
]);
const numberedParameters = new Map([
  ["platform/db/sql.ts", "the tag that numbers them"],
  ["platform/db/listen.ts", "its own connection, outside the pool"],
  ["platform/db/migrate.ts", "its own connection, outside the pool"],
]);

const sizes = { functions: [], files: [] };
const faults = [];
const fault = (file, what, size, limit) =>
  size > limit && faults.push(`src/${file}: ${what} ${size}, at most ${limit}`);
const files = readdirSync("src", { recursive: true })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("/generated/"));

/** Whether a node is a text, but not the replacement of a regular expression. */
const isText = (node) =>
  (ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)) &&
  !(
    ts.isCallExpression(node.parent) && /\.replace(?:All)?$/.test(node.parent.expression.getText())
  );

for (const file of files) {
  const text = readFileSync(join("src", file), "utf8");
  const lines = text.trimEnd().split("\n");
  sizes.files.push(lines.length);
  if (!longFiles.has(file)) fault(file, "lines", lines.length, most.files);
  for (const [index, { length }] of lines.entries()) {
    fault(`${file}:${index + 1}`, "columns", length, most.columns);
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    if (isText(node) && /\$\d/.test(node.text) && !numberedParameters.has(file)) {
      faults.push(`src/${file}:${lineOf(node.getStart())}: use the sql tag instead of "$1"`);
    }
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
      sizes.functions.push(last - first + 1);
      fault(`${file}:${first}`, "lines of a function", last - first + 1, most.functions);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const [kind, all] of Object.entries(sizes)) {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (part) => sorted[Math.ceil(sorted.length * part) - 1];
  const [median, p90, max] = [at(0.5), at(0.9), at(1)];
  process.stdout.write(
    `${sorted.length} ${kind}: median ${median}, p90 ${p90}, max ${max} lines\n`,
  );
}
if (faults.length > 0) {
  process.stdout.write(`${faults.join("\n")}\n${faults.length} too large\n`);
  process.exitCode = 1;
}
