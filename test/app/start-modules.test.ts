import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

/** The packages and files that the start loads: static imports of values, in all depths. */
function loadedAtStart(): { packages: Set<string>; files: Set<string> } {
  const packages = new Set<string>();
  const files = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const source = readFileSync(file, "utf8");
    const imports = /^(?:im|ex)port (?!type )(?:[^;"]*? from )?"([^"]+)"/gm;
    for (const [, from = ""] of source.matchAll(imports)) {
      if (from.startsWith(".")) visit(join(dirname(file), from));
      else packages.add(from);
    }
  };
  visit(resolve("src/main.ts"));
  visit(resolve("src/app/service.ts"));
  return { packages, files };
}

const { packages, files } = loadedAtStart();

test("the start loads no package that few processes need", () => {
  expect(packages).toContain("zod");
  const rare = `@prisma/ @node-rs/argon2 @zxcvbn-ts/ undici nodemailer aws4fetch file-type
    yaml trpc-to-openapi zod-openapi prom-client @opentelemetry/ pino-pretty citty cli-progress`.split(
    /\s+/,
  );
  const found = [...packages].filter((name) => rare.some((prefix) => name.startsWith(prefix)));
  expect(found).toEqual([]);
});

test("the start loads neither Prisma's client nor the importers nor the document", () => {
  const rare = [
    "platform/db/generated/client.ts",
    "platform/db/open-prisma.ts",
    "platform/db/schema-engine.ts",
    "platform/storage/s3.ts",
    "transfer/imports/registry.ts",
    "api/openapi/document.ts",
    "api/operator/metrics.ts",
    "platform/tracing/sdk.ts",
    "cli/sample-workspace.ts",
  ].map((path) => resolve("src", path));
  for (const path of rare) expect(existsSync(path), path).toBe(true);
  expect(rare.filter((path) => files.has(path))).toEqual([]);
});
