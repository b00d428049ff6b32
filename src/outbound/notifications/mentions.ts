import { mentionsOf } from "../../domain/mentions.ts";

const most = 100;

/** The members whom a text in Markdown mentions as `@[name](memberPublicId)`, each once. */
export function mentionsIn(text: string | null): string[] {
  const ids = new Set<string>();
  for (const { name, memberPublicId: id } of mentionsOf(text ?? "")) {
    if (name.length <= 255 && id.length === 12) ids.add(id);
    if (ids.size === most) break;
  }
  return [...ids];
}

/** The members whom a text mentions and an earlier one did not. */
export function newMentions(before: string | null, after: string | null): string[] {
  const known = new Set(mentionsIn(before));
  return mentionsIn(after).filter((id) => !known.has(id));
}
