import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

/** The size of an entry with all that it imports of the package, minified and compressed. */
async function sizeOf(entry: string): Promise<number> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      rollupOptions: {
        input: entry,
        preserveEntrySignatures: "strict",
        external: ["react", /^@trpc\//, /^@tanstack\//],
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Nothing was built.");
  const code = output.output.map((file) => (file.type === "chunk" ? file.code : "")).join("");
  return gzipSync(code).length;
}

test("the store has at most 12 kB", async () => {
  const store = await sizeOf("src/client/store/index.ts");
  const react = await sizeOf("src/client/react/index.ts");
  const tanstackDb = await sizeOf("src/client/tanstack-db/index.ts");
  const sizes = `store ${store} bytes, React hooks ${react} bytes, TanStack DB ${tanstackDb} bytes`;
  process.stdout.write(`${sizes} (gzip)\n`);
  expect(store).toBeLessThanOrEqual(12_000);
  expect(react).toBeLessThanOrEqual(3_000);
  expect(tanstackDb).toBeLessThanOrEqual(2_000);
});
