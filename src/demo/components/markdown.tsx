import { useMemo } from "react";
import createPurifier from "dompurify";
import { boundedHtml } from "./bounded-markdown.ts";

const purifier = createPurifier(window);
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** A text in Markdown. */
export function Markdown({ text }: { text: string }) {
  const { html, rest } = useMemo(() => {
    const bounded = boundedHtml(text);
    const clean = purifier.sanitize(bounded.html, {
      FORBID_TAGS: ["style", "img", "form", "svg", "math"],
      FORBID_ATTR: ["style", "class", "id", "name"],
    });
    return { html: clean, rest: bounded.rest };
  }, [text]);
  return (
    <div className="markdown">
      <div dangerouslySetInnerHTML={{ __html: html }} />
      {rest !== "" && (
        <details>
          <summary>The rest of this long text</summary>
          <p className="plain">{rest}</p>
        </details>
      )}
    </div>
  );
}
