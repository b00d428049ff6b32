import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Marked } from "marked";

// Writes the files of the reference page into `dist`: its scripts, and the guides as HTML, so that a
// production install needs no renderer. The scripts of the operator's page are beside them.

const order = [
  "quick-start",
  "concepts",
  "rest",
  "failure-codes",
  "compatibility",
  "client",
  "store",
  "authentication-recipes",
  "trpc",
  "permissions",
  "webhooks",
  "feed-and-stream",
  "sync",
  "imports",
  "agents",
  "apps",
  "sign-in-providers",
  "second-factor",
  "kan",
  "claims",
  "filters",
  "views",
  "custom-fields",
  "relations",
  "operating",
  "high-availability",
  "operator",
  "limits",
  "search",
  "performance",
  "glossary",
];

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** A link between guides as a link of the page; a link to another file as text. */
function hrefOf(href, id) {
  if (/^https?:/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const guide = path === "" ? id : path.replace(/^.*\//, "").replace(/\.md$/, "");
  if (!order.includes(guide)) return undefined;
  return `#/guide/${guide}${anchor === undefined ? "" : `/${anchor}`}`;
}

function guideOf(id) {
  const text = readFileSync(new URL(`../docs/${id}.md`, import.meta.url), "utf8");
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(heading)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = hrefOf(href, id);
        return to === undefined ? inner : `<a href="${to}">${inner}</a>`;
      },
    },
  });
  const [first = "", ...others] = text.split(/^## /m);
  const title = /^# (.+)$/m.exec(first)?.[1] ?? id;
  const sections = [
    { title, anchor: "", text: first },
    ...others.map((part) => {
      const heading = part.slice(0, part.indexOf("\n")).trim();
      return { title: heading.replaceAll("`", ""), anchor: anchorOf(heading), text: part };
    }),
  ];
  return { id, title, html: marked.parse(text), sections };
}

const to = new URL("../dist/reference/", import.meta.url);
mkdirSync(to, { recursive: true });
cpSync(new URL("../reference/", import.meta.url), to, { recursive: true });
writeFileSync(new URL("guides.json", to), JSON.stringify(order.map(guideOf)));
