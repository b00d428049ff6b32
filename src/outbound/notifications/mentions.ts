const mention = /@\[(?:(?!@\[)[^\n]){0,255}?\]\(([0-9a-z]{12})\)/g;
const maxMentions = 100;

/** The members that a Markdown text mentions as `@[name](memberPublicId)`, without duplicates. */
export function mentionsIn(text: string | null): string[] {
  const ids = Array.from((text ?? "").matchAll(mention), ([, id]) => id ?? "");
  return [...new Set(ids)].slice(0, maxMentions);
}

/** The members that a text mentions and its previous version did not. */
export function newMentions(before: string | null, after: string | null): string[] {
  const known = new Set(mentionsIn(before));
  return mentionsIn(after).filter((id) => !known.has(id));
}
