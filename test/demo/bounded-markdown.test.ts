import { performance } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { boundedHtml } from "../../src/demo/components/bounded-markdown.ts";

const times = (text: string, count: number) => text.repeat(count);
const lines = (count: number, line: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => line(nth)).join("\n");

/** Texts of the longest comment, in which every construct of Markdown is as deep as it can be. */
const texts = {
  "a quote in a quote": times("> ", 4_000),
  "quotes without spaces": times(">", 20_000),
  "a deeper quote on each line": lines(200, (nth) => `${times(">", nth)} a`),
  "a list in a list": `${times("- ", 4_000)}x`,
  "a numbered list in a list": `${times("1. ", 4_000)}x`,
  "lists in quotes": times("> - 1. ", 2_000),
  "a deeper list on each line": lines(190, (nth) => `${times("  ", nth)}- a`),
  brackets: times("[", 20_000),
  "links in links": times("[a", 3_000) + times("](b)", 2_500),
  "images in images": `${times("![", 4_000)}a${times("](b)", 2_500)}`,
  "references in references": `[a]: b\n\n${times("[", 9_000)}a${times("]", 9_000)}`,
  emphasis: times("*a _b ", 1_500) + times("c_ d* ", 1_500),
  "open emphasis": times("*a **b ", 2_500),
  stars: `${times("**_", 6_000)}a`,
  "strikes through": times("~~a ~b ", 2_800),
  backticks: lines(190, (nth) => times("`", nth)),
  table: `${times("|a", 3_000)}\n${times("|-", 3_000)}\n${times("|b", 3_000)}`,
  definitions: times("[a]: b\n", 2_800),
  headings: times("a\n=", 6_000),
  tags: times("<a ", 6_000),
  escapes: times("\\", 20_000),
  addresses: `http://${times("a.", 9_000)}`,
};

describe("the Markdown of the demo", () => {
  test.each(Object.entries(texts))("is bounded in depth: %s", (_, text) => {
    const { html } = boundedHtml(text);
    const depth = Math.max(0, ...depthsOf(html));
    expect(depth).toBeLessThan(100);
  });

  test("is parsed within a time that nobody notices, whatever the text is", () => {
    for (const [name, text] of Object.entries(texts)) {
      // The fastest of some runs: the machine may stand still.
      const runs = [1, 2, 3].map(() => {
        const start = performance.now();
        boundedHtml(text);
        return performance.now() - start;
      });
      expect([name, Math.min(...runs) < 1_000]).toEqual([name, true]);
    }
  });

  test("shows what is deeper as text", () => {
    expect(boundedHtml("> > a").html).toMatch(/<blockquote>\s*<blockquote>\s*<p>a/);
    const { html } = boundedHtml(`${times("> ", 40)}deep`);
    expect(html.split("<blockquote>").length - 1).toBe(24);
    expect(html).toContain("&gt; deep");
    // The next text begins at the top again.
    expect(boundedHtml("> a").html).toContain("<blockquote>");
  });

  test("parses the start of a long text, and has the rest as it is", () => {
    const text = times("**word** and\n", 5_000);
    const { html, rest } = boundedHtml(text);
    expect(html.length).toBeLessThan(60_000);
    expect(rest).toMatch(/\*\*word\*\* and\n$/);
    expect(boundedHtml("short")).toEqual({ html: "<p>short</p>\n", rest: "" });
  });
});

/** How deep each element of a text is. */
function* depthsOf(html: string): Iterable<number> {
  let depth = 0;
  for (const [, end, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
    if (["br", "hr", "input"].includes(name)) continue;
    depth += end === "/" ? -1 : 1;
    yield depth;
  }
}
