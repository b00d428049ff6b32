import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

/** The sizes of an entry, and of what it loads later, minified and compressed. */
async function sizesOf(...entries: string[]): Promise<{ core: number; later: number }> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      // Vite adds no code of its own to the imports at run time.
      ssr: true,
      rollupOptions: {
        input: entries,
        preserveEntrySignatures: "strict",
        external: ["react", /^@trpc\//, /^@tanstack\//],
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("Nothing was built.");
  const sizeOf = (isLater: boolean) => {
    const chunks = output.output.flatMap((file) => (file.type === "chunk" ? [file] : []));
    const code = chunks.filter(({ isDynamicEntry }) => isDynamicEntry === isLater);
    return gzipSync(code.map((chunk) => chunk.code).join("")).length;
  };
  return { core: sizeOf(false), later: sizeOf(true) };
}

test("client, store and React hooks have at most 38.1 kB together, the adapter of IndexedDB 1 kB", async () => {
  const { core: store, later: adapter } = await sizesOf("src/client/store/index.ts");
  const { core: react } = await sizesOf("src/client/react/index.ts");
  const { core: tanstackDb } = await sizesOf("src/client/tanstack-db/index.ts");
  const { core: all } = await sizesOf(
    "src/client/index.ts",
    "src/client/store/index.ts",
    "src/client/react/index.ts",
  );
  const others = `React hooks ${react} bytes, TanStack DB ${tanstackDb} bytes`;
  process.stdout.write(
    `all ${all} bytes, store ${store} bytes, IndexedDB ${adapter} bytes, ${others} (gzip)\n`,
  );
  // The filters of the service are 6 kB of it; a bundle of `createStore` alone omits them.
  expect(all).toBeLessThanOrEqual(38_100);
  expect(store).toBeLessThanOrEqual(27_200);
  expect(adapter).toBeLessThanOrEqual(1_000);
  expect(react).toBeLessThanOrEqual(8_100);
  expect(tanstackDb).toBeLessThanOrEqual(2_000);
});
