import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const pages = [
  ...(await readdir(".")),
  ...(await readdir("docs")).map((name) => `docs/${name}`),
  "examples/README.md",
  "examples/nextjs/README.md",
];

/** A path of a file with at least one folder. */
const pathPattern = /(?<![\w./-])[a-z][\w.-]*\/[\w./-]*[\w-]\.(?:ts|tsx|mjs|py|txt)\b/g;

/** The anchor of a heading, as GitHub makes it. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading));

test.each(pages.filter((name) => name.endsWith(".md")))(
  "every link of %s leads to a file and a heading",
  async (name) => {
    const page = await readFile(name, "utf8");
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [link, path = "", heading] of links) {
      const target = path === "" ? name : normalize(join(dirname(name), path));
      if ((await stat(target)).isDirectory()) {
        expect(heading, link).toBeUndefined();
        continue;
      }
      const text = await readFile(target, "utf8");
      if (heading !== undefined) expect(anchorsOf(text), link).toContain(heading);
      expect(text, link).not.toBe("");
    }
  },
);

test("the quick start has the first calls of the README", async () => {
  const [calls = ""] =
    /```sh\nexport TOKEN[^]*?```/.exec(await readFile("README.md", "utf8")) ?? [];
  expect(calls).toContain("/cards");
  expect(await readFile("docs/quick-start.md", "utf8")).toContain(calls);
});

test("every page of docs is served as a guide, and the README lists it", async () => {
  const build = await readFile("scripts/build-reference.mjs", "utf8");
  const readme = await readFile("README.md", "utf8");
  const [, order = ""] = build.match(/const order = \[([^\]]*)\]/) ?? [];
  const guides = [...order.matchAll(/"([^"]+)"/g)].map(([, name]) => `docs/${name}.md`);
  // A table for auditors, which SECURITY.md links.
  const others = ["docs/security-checklist.md"];
  const docs = pages.filter((name) => /^docs\/.*\.md$/.test(name));
  expect([...guides, ...others].toSorted()).toEqual(docs.toSorted());
  for (const guide of guides) expect(readme).toContain(`](${guide})`);
});

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])(
  "every file that %s names exists, below src or at the top",
  async (name) => {
    const page = await readFile(name, "utf8");
    const paths = page.match(pathPattern) ?? [];
    expect(paths.length).toBeGreaterThan(5);
    const missing = paths.filter((path) => !existsSync(path) && !existsSync(join("src", path)));
    expect(missing).toEqual([]);
  },
);

test("every file that a comment of src names exists", async () => {
  const sources = (await readdir("src", { recursive: true }))
    .map((file) => join("src", file))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("generated"));
  const named: string[] = [];
  const missing: string[] = [];
  for (const file of sources) {
    const text = await readFile(file, "utf8");
    const comments = text.match(/^\s*(?:\/\/|\/?\*).*$/gm)?.join("\n") ?? "";
    for (const path of comments.match(pathPattern) ?? []) {
      named.push(path);
      if (!existsSync(path) && !existsSync(join("src", path))) missing.push(`${file}: ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect(named).not.toEqual([]);
});
