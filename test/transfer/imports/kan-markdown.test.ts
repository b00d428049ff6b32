import { marked } from "marked";
import { expect, test } from "vitest";
import { markdownOf } from "../../../src/transfer/integrations/kan/markdown.ts";

test.each([
  ["<p>Two <strong>lines</strong></p>", "Two **lines**"],
  ["<p>One</p><p>Two<br>and more</p>", "One\n\nTwo\nand more"],
  ["<h2>Plan</h2><p>Go &amp; see &lt;b&gt;&#33;</p>", "## Plan\n\nGo & see \\<b>!"],
  ["<ul><li><p>a</p></li><li><p>b</p><ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"],
  ["<ol><li>a</li><li>b</li></ol><p>after</p>", "1. a\n2. b\n\nafter"],
  [
    '<ul data-type="taskList"><li data-checked="true"><p>done</p></li><li data-checked="false">no</li></ul>',
    "- [x] done\n- [ ] no",
  ],
  ["<blockquote><p>said</p><p>more</p></blockquote>", "> said\n>\n> more"],
  ["<pre><code>a &lt; b\n  *c*\n</code></pre>", "```\na < b\n  *c*\n```"],
  ["<p><code>x</code> and <em>y</em> <s>z</s></p>", "`x` and *y* ~~z~~"],
  [
    '<p><a href="https://example.com/?a=1&amp;b=2">site</a></p>',
    "[site](https://example.com/?a=1&b=2)",
  ],
  ['<p><a href="javascript:alert(1)">no</a></p>', "no"],
  ['<p><span data-type="mention" data-label="Ada > B">@Ada</span> hi</p>', "@Ada hi"],
  [
    "<p>2 * 3 # no</p><p># not a heading</p><p><b></b>end</p>",
    "2 \\* 3 # no\n\n\\# not a heading\n\nend",
  ],
  ["<p>a < b <unclosed", "a \\< b \\<unclosed"],
  ["<p>first</p><hr><p>second</p>", "first\n\n---\n\nsecond"],
  ["<p></p>", ""],
])("%s", (html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

test.each(["Plain *Markdown* text", "a < b", "<unknown>x</unknown>", "", null, 3, "- <b>x</b>"])(
  "what is not a text of the editor stays as it is: %j",
  (value) => {
    expect(markdownOf(value)).toBe(value);
  },
);

test.each([
  "<b>x</b>",
  "<li>x",
  "<blockquote>x",
  "<ul><li>",
  "<!-- ",
  '<a href="',
  "<p '",
  "&#1;&#",
  "< ",
  " \n",
  "<pre>\n",
])("a long text of %s takes time in proportion to its length", (piece) => {
  const cpuOf = (length: number) => {
    const html = `<p>${piece.repeat(Math.floor(length / piece.length) - 2)}`;
    const before = process.cpuUsage();
    expect(markdownOf(html)).not.toBe(html);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  cpuOf(20_000);
  const [short, long] = [cpuOf(20_000), cpuOf(200_000)];
  expect(long).toBeLessThan(40 * Math.max(short, 25));
});

const script = "x](javascript:alert(1))";

test.each([
  `<p><img src="https://example.com/a.png" alt="${script} ![y"></p>`,
  `<p><a href="https://example.com">${script} [y</a></p>`,
  `<p><a href="https://example.com"><b>[${script}</b></a></p>`,
  `<p>[${script}</p>`,
  `<p>&#91;${script}</p>`,
  "<p>[a]: javascript:alert(1)</p><p>[a]</p>",
  "<p>&lt;javascript:alert(1)&gt;</p>",
  `<pre>\n\`\`\`\n\n[${script}\n</pre>`,
  `<p><code>\`</code>[${script}<code>\`</code></p>`,
  `<ul><li>[${script}</li></ul>`,
])("no address of a script comes out of %s", async (html) => {
  const shown = await marked.parse(String(markdownOf(html)));
  expect(shown).not.toMatch(/(?:href|src)="\s*javascript:/i);
  expect(shown).toContain("javascript");
});

test("a conversion ends where a text is cut", () => {
  const long = String(markdownOf(`<ul>${"<li>x".repeat(39_000)}`));
  expect(long.length).toBeGreaterThan(100_000);
  expect(long.length).toBeLessThan(200_000);
});
