import { Marked, Tokenizer } from "marked";

/** Deeper levels of quotes, lists, links and emphasis are shown as text: renderers recurse. */
const maxNesting = 24;
/** What is behind this many characters is shown as text: the parser takes more time than it is worth. */
const maxLength = 20_000;

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A tokenizer of Markdown that counts how deep it is. */
function boundedTokenizer() {
  let depth = 0;
  type Name = "blockquote" | "list" | "link" | "reflink" | "emStrong" | "del";
  const bounded = <Key extends Name>(name: Key) => {
    const method = Tokenizer.prototype[name] as (...args: unknown[]) => unknown;
    return function (this: unknown, ...args: unknown[]) {
      if (depth >= maxNesting) return undefined;
      depth += 1;
      try {
        return method.apply(this, args);
      } finally {
        depth -= 1;
      }
    } as Tokenizer[Key];
  };
  return {
    blockquote: bounded("blockquote"),
    list: bounded("list"),
    link: bounded("link"),
    reflink: bounded("reflink"),
    emStrong: bounded("emStrong"),
    del: bounded("del"),
  };
}

/** HTML in a text is shown as text. Images are links: the page loads nothing from other sites. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: boundedTokenizer(),
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
  },
});

/** Splits a text at a line, so that its start can be parsed. */
function split(text: string): [start: string, rest: string] {
  if (text.length <= maxLength) return [text, ""];
  const line = text.lastIndexOf("\n", maxLength);
  const at = line > 0 ? line : maxLength;
  return [text.slice(0, at), text.slice(at)];
}

/** The HTML of a text, and what of a long text is shown as it is. The HTML is not sanitized. */
export function boundedHtml(text: string): { html: string; rest: string } {
  const [start, rest] = split(text);
  return { html: marked.parse(start, { async: false }), rest };
}
