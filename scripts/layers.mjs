// npm run layers: prints which folders import which, and fails when an import points up or closes
// a cycle. Imports of types and dynamic imports count. A path as argument names another root.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, posix, resolve, sep } from "node:path";
import ts from "typescript";

const layers = "contract client platform kernel domain outbound transfer cli api app main".split(
  " ",
);
const root = resolve(process.argv[2] ?? ".", "src");
const files = readdirSync(root, { recursive: true })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => file.endsWith(".ts") && !file.includes("/generated/"));
const layerOf = (file) => file.split("/")[0].replace(".ts", "");
const moduleOf = (file) => file.split("/").slice(0, 2).join("/").replace(".ts", "");
const faults = [];
const imports = files.flatMap((from) =>
  ts
    .preProcessFile(readFileSync(resolve(root, from), "utf8"))
    .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => ({ from, to: posix.join(dirname(from), fileName) })),
);
for (const { from, to } of imports) {
  const [rank, other] = [from, to].map((file) => layers.indexOf(layerOf(file)));
  if (rank < 0) faults.push(`in no layer: ${from}`);
  if (other > rank || to.startsWith("../test/")) faults.push(`points up: ${from} → ${to}`);
}

/** The nodes of a graph, lowest first; a cycle among them is a fault. */
function order(kind, nodeOf, layer) {
  const isInside = (file) => layer === undefined || layerOf(file) === layer;
  const edges = imports.filter(({ from, to }) => isInside(from) && isInside(to));
  const links = edges.map(({ from, to }) => [nodeOf(from), nodeOf(to)]).filter(([a, b]) => a !== b);
  let open = new Set(files.filter(isInside).map(nodeOf).toSorted());
  const sorted = [];
  const ends = (side) => {
    const inner = links.filter(([from, to]) => open.has(from) && open.has(to));
    const blocked = new Set(inner.map((link) => link[side]));
    const found = [...open].filter((node) => !blocked.has(node));
    open = new Set([...open].filter((node) => blocked.has(node)));
    return found;
  };
  for (let found = ends(0); found.length > 0; found = ends(0)) sorted.push(...found);
  while (ends(1).length > 0);
  if (open.size > 0) faults.push(`cycle of ${kind}: ${[...open].join(" ")}`);
  return [...sorted, ...open];
}

/** Prints how many imports each row makes of each column. */
function print(nodes, nodeOf) {
  const width = Math.max(...nodes.map((node) => node.length));
  for (const row of nodes) {
    const targets = imports.filter(({ from }) => nodeOf(from) === row).map(({ to }) => nodeOf(to));
    const counts = nodes.map((node) => targets.filter((target) => target === node).length || "");
    const cells = counts.map((count, at) => (nodes[at] === row ? "·" : String(count)).padStart(4));
    process.stdout.write(`${row.padEnd(width)} ${cells.join("")}\n`);
  }
  process.stdout.write("\n");
}

order("files", (file) => file);
order("folders", dirname);
print(layers, layerOf);
for (const layer of layers) print(order("modules", moduleOf, layer), moduleOf);
for (const fault of new Set(faults)) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
