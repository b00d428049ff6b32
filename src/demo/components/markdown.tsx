import { useMemo } from "react";
import createPurifier from "dompurify";
import { Marked } from "marked";

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** HTML in a text is shown as text. Images are links: the page loads nothing from other sites. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
  },
});

const purifier = createPurifier(window);
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** A text in Markdown. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(
    () =>
      purifier.sanitize(marked.parse(text, { async: false }), {
        FORBID_TAGS: ["style", "img", "form", "svg", "math"],
        FORBID_ATTR: ["style", "class", "id", "name"],
      }),
    [text],
  );
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
