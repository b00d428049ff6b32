import { mentionsOf } from "../../domain/mentions.ts";

const maxMentions = 100;

/** The members that a Markdown text mentions as `@[name](memberPublicId)`, without duplicates. */
export function mentionsIn(text: string | null): string[] {
  const ids = new Set<string>();
  for (const { name, memberPublicId: id } of mentionsOf(text ?? "")) {
    if (name.length <= 255 && id.length === 12) ids.add(id);
    if (ids.size === maxMentions) break;
  }
  return [...ids];
}

/** The members that a text mentions and its previous version did not. */
export function newMentions(before: string | null, after: string | null): string[] {
  const known = new Set(mentionsIn(before));
  return mentionsIn(after).filter((id) => !known.has(id));
}
