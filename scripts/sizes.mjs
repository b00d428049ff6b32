// npm run sizes: prints the sizes of functions and files in src, and fails on one that is too large.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";

/** The most lines of a function and of a file, and the most columns of a line. */
const most = { functions: 60, files: 200, columns: 100 };
/** Files that are tables, which may be longer. */
const tables = new Set(["contract/policy.ts", "contract/events.ts", "kernel/schemas/values.ts"]);

const sizes = { functions: [], files: [] };
const faults = [];
const fault = (file, what, size, limit) =>
  size > limit && faults.push(`src/${file}: ${what} ${size}, at most ${limit}`);
const files = readdirSync("src", { recursive: true })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => file.endsWith(".ts") && !file.includes("/generated/"));

for (const file of files) {
  const text = readFileSync(join("src", file), "utf8");
  const lines = text.trimEnd().split("\n");
  sizes.files.push(lines.length);
  if (!tables.has(file)) fault(file, "lines", lines.length, most.files);
  for (const [index, { length }] of lines.entries()) {
    fault(`${file}:${index + 1}`, "columns", length, most.columns);
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
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
