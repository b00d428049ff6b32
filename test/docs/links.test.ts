import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const pages = [...(await readdir(".")), ...(await readdir("docs")).map((name) => `docs/${name}`)];

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
