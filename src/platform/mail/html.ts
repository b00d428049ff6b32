const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => entities[one] ?? "");

/** Converts plain text to HTML. Of its addresses, only `links` become links. */
export function htmlOf(text: string, links: readonly string[]): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((lines) => `<p>${withLinks(lines, links).replaceAll("\n", "<br>\n")}</p>`);
  return `<!doctype html>\n<html><body>\n${paragraphs.join("\n")}\n</body></html>\n`;
}

function withLinks(text: string, [link, ...others]: readonly string[]): string {
  if (link === undefined) return escapeHtml(text);
  const parts = text.split(link).map((part) => withLinks(part, others));
  const safe = escapeHtml(link);
  return parts.join(`<a href="${safe}">${safe}</a>`);
}
