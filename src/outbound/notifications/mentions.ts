const mention = /@\[(?:(?!@\[)[^\n]){0,255}?\]\(([0-9a-z]{12})\)/g;
const most = 100;

/** The members whom a text in Markdown mentions as `@[name](memberPublicId)`, each once. */
export function mentionsIn(text: string | null): string[] {
  const ids = Array.from((text ?? "").matchAll(mention), ([, id]) => id ?? "");
  return [...new Set(ids)].slice(0, most);
}

/** The members whom a text mentions and an earlier one did not. */
export function newMentions(before: string | null, after: string | null): string[] {
  const known = new Set(mentionsIn(before));
  return mentionsIn(after).filter((id) => !known.has(id));
}
