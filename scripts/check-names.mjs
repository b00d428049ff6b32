// npm run lint: fails on a name that two files of src export: one word has one meaning.
// A path as argument names another root.
import { readdirSync, readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import ts from "typescript";

/** Folders whose names others do not import, or only as `statements.name`. */
const exempt =
  /^(?:app\/router|client|demo)\/|^client\.ts$|^transfer\/(?:exports|snapshots)\/statements\.ts$/;

const root = resolve(process.argv[2] ?? ".", "src");
const files = readdirSync(root, { recursive: true })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("/generated/") && !exempt.test(file));

const isExported = (statement) =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** The names that a declaration, or a pattern of one, declares. */
const namesIn = ({ name }) =>
  name === undefined || ts.isIdentifier(name)
    ? [name?.text]
    : name.elements.filter((element) => !ts.isOmittedExpression(element)).flatMap(namesIn);

/** The names that a file exports where it declares them. */
function exportedNames(file) {
  const text = readFileSync(resolve(root, file), "utf8");
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const names = statements
    .filter(isExported)
    .flatMap((one) =>
      ts.isVariableStatement(one)
        ? one.declarationList.declarations.flatMap(namesIn)
        : namesIn(one),
    );
  return new Set(names.filter((name) => name !== undefined));
}

const exporters = new Map();
for (const file of files) {
  for (const name of exportedNames(file)) {
    exporters.set(name, [...(exporters.get(name) ?? []), file]);
  }
}
const repeated = [...exporters].filter(([, all]) => all.length > 1);
for (const [name, all] of repeated) process.stdout.write(`${name}: ${all.join(" ")}\n`);
if (repeated.length > 0) {
  process.stdout.write(`${repeated.length} exported names have two meanings.\n`);
  process.exitCode = 1;
}
