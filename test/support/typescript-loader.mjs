import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/** Compiles TypeScript. Threads whose modules this loads are of tests only. */
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const text = await readFile(fileURLToPath(url), "utf8");
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20" });
  return { format: "module", source: code, shortCircuit: true };
}
