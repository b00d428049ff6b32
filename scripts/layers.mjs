// npm run layers: prints which folders import which, and fails when an import points up or closes
// a cycle. Imports of types and dynamic imports count. A path as argument names another root.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, posix, resolve, sep } from "node:path";
import ts from "typescript";

const layers =
  "contract platform kernel domain outbound transfer cli api app client demo main".split(" ");
const root = resolve(process.argv[2] ?? ".", "src");
const files = readdirSync(root, { recursive: true })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("/generated/"));
const layerOf = (file) => file.split("/")[0].replace(/\.tsx?$/, "");
const moduleOf = (file) =>
  file
    .split("/")
    .slice(0, 2)
    .join("/")
    .replace(/\.tsx?$/, "");
const faults = new Set();
const imports = files.flatMap((from) => {
  const source = readFileSync(resolve(root, from), "utf8");
  const values = [...source.matchAll(/^(?:im|ex)port (?!type )(?:[^;]*? from )?"(\.\.\/[^"]+)"/gm)];
  const isOutside = ([, path]) => layerOf(posix.join(dirname(from), path)) !== "client";
  if (layerOf(from) === "client" && values.some(isOutside)) faults.add(`imports values: ${from}`);
  const paths = ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName);
  const inTree = paths.filter((path) => path.startsWith("."));
  return inTree.map((path) => ({ from, to: posix.join(dirname(from), path) }));
});
for (const { from, to } of imports) {
  const [rank, other] = [from, to].map((file) => layers.indexOf(layerOf(file)));
  if (rank < 0) faults.add(`in no layer: ${from}`);
  const isPromised = /^(?:client|contract)\/|^app\/router\/index\.ts$/.test(to);
  if (layerOf(from) === "client" && !isPromised) faults.add(`imports the server: ${from} → ${to}`);
  // The demo uses the package of the client, as an application does.
  if (layerOf(from) === "demo" && layerOf(to) !== "demo") faults.add(`not copied: ${from} → ${to}`);
  if (other > rank || to.startsWith("../test/")) faults.add(`points up: ${from} → ${to}`);
}

/** The nodes of a graph, lowest first; a cycle among them is a fault. */
function order(kind, nodeOf, isInside = () => true) {
  const edges = imports.filter(({ from, to }) => isInside(from) && isInside(to));
  const links = edges.map(({ from, to }) => [nodeOf(from), nodeOf(to)]).filter(([a, b]) => a !== b);
  const sorted = [];
  let open = new Set(files.filter(isInside).map(nodeOf).toSorted());
  /** Removes the nodes without a link on this side. */
  const trim = (side) => {
    const inner = links.filter(([from, to]) => open.has(from) && open.has(to));
    const linked = new Set(inner.map((link) => link[side]));
    const free = [...open].filter((node) => !linked.has(node));
    open = new Set([...open].filter((node) => linked.has(node)));
    return free;
  };
  for (let free = trim(0); free.length > 0; free = trim(0)) sorted.push(...free);
  while (trim(1).length > 0);
  if (open.size > 0) faults.add(`cycle of ${kind}: ${[...open].join(" ")}`);
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
}
order("files", (file) => file);
order("folders", dirname);
print(layers, layerOf);
for (const layer of layers)
  print(
    order(layer, moduleOf, (file) => layerOf(file) === layer),
    moduleOf,
  );
process.stdout.write([...faults, ""].join("\n"));
process.exitCode = faults.size > 0 ? 1 : 0;
