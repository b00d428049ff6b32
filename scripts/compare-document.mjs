// Compares the structure of two OpenAPI documents, with their references resolved. Texts, examples
// and the names of schemas may differ.
// Usage: node scripts/compare-document.mjs <git revision or file> [file]
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const path = "test/contract/openapi.json";
const [, , before = "HEAD", after = path] = process.argv;
const texts = new Set(["summary", "description", "title", "example", "examples"]);

/** Reads a document from a file or from a revision of git. */
const read = (source) =>
  JSON.parse(
    existsSync(source)
      ? readFileSync(source, "utf8")
      : execFileSync("git", ["show", `${source}:${path}`], {
          encoding: "utf8",
          maxBuffer: 64 * 1024 * 1024,
        }),
  );

/** The leaves of a document by their path. A field of a schema may be named like a text. */
function leaves(document, value = document, at = [], into = new Map(), open = []) {
  if (typeof value !== "object" || value === null) return into.set(at.join(" / "), String(value));
  if (typeof value.$ref === "string") {
    if (open.includes(value.$ref)) return into.set(at.join(" / "), "(recursive)");
    const { $ref, ...siblings } = value;
    const target = $ref
      .split("/")
      .slice(1)
      .reduce((inside, step) => inside[step], document);
    return leaves(document, { ...target, ...siblings }, at, into, [...open, $ref]);
  }
  if (Object.keys(value).length === 0) into.set(at.join(" / "), "(empty)");
  const isMap = ["properties", "schemas", "headers", "responses", "paths"].includes(at.at(-1));
  for (const [key, inner] of Object.entries(value)) {
    const isSkipped = at.length === 0 && key === "components";
    if (!isSkipped && (isMap || !texts.has(key))) {
      leaves(document, inner, [...at, key], into, open);
    }
  }
  return into;
}

const old = leaves(read(before));
const current = leaves(read(after));
const lines = [
  ...[...old].flatMap(([at, value]) => {
    const now = current.get(at);
    if (now === value) return [];
    return now === undefined ? `- ${at}: ${value}` : `~ ${at}: ${value} → ${now}`;
  }),
  ...[...current].flatMap(([at, value]) => (old.has(at) ? [] : `+ ${at}: ${value}`)),
];
for (const line of lines) process.stdout.write(`${line}\n`);
process.stdout.write(`${lines.length} differences in structure.\n`);
process.exitCode = lines.length > 0 ? 1 : 0;
