import type { ProjectItem } from "../../integrations/github/project-items.ts";
import type { Skip } from "../write/limits.ts";
import {
  SourceRelations,
  tooManyRelations,
  type SourceRelation,
} from "../write/source-relations.ts";

type Link = { item: { id: string; title: string }; kind: "child" | "blockedBy"; issue: string };

/** What the items of projects are to each other: parents and what blocks them, by their issues. */
export class ItemRelations {
  /** The items by their issues; of one in several projects, the first. */
  readonly #items = new Map<string, string>();
  readonly #relations = new SourceRelations();
  #open: Link[] = [];
  readonly #skip: Skip;

  constructor(skip: Skip) {
    this.#skip = skip;
  }

  take({ id, content }: ProjectItem): void {
    const issueId = content?.id;
    if (content === null || content === undefined || !issueId || this.#items.has(issueId)) return;
    this.#items.set(issueId, id);
    const item = { id, title: content.title?.slice(0, 255) ?? "" };
    const add = (kind: Link["kind"], issue: string | null | undefined) =>
      issue ? void this.#open.push({ item, kind, issue }) : undefined;
    add("child", content.parent?.id);
    for (const blocker of content.blockedBy?.nodes ?? []) add("blockedBy", blocker?.id);
  }

  /** The relations of an item to those that were read; call `connect` after a project was. */
  of(id: string): SourceRelation[] {
    return this.#relations.of(id);
  }

  /** Relates the items of a project that was read to those of this and earlier ones. */
  connect(): void {
    this.#open = this.#open.filter(({ item, kind, issue }) => {
      const other = this.#items.get(issue);
      if (other === undefined) return true;
      if (other !== item.id && !this.#relations.add(item.id, kind, other))
        this.#report(item, tooManyRelations);
      return false;
    });
  }

  /** Reports what is related to issues that no project has. */
  reportOpen(): void {
    for (const { item, kind } of this.#open)
      this.#report(
        item,
        kind === "child"
          ? "Its parent is not in the projects."
          : "An issue that blocks it is not in the projects.",
      );
  }

  #report({ id: sourceId, title: name }: Link["item"], reason: string) {
    this.#skip({ kind: "card", sourceId, name, reason, severity: "partial" });
  }
}
