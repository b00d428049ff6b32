import { nameOf } from "../../../platform/foreign-text.ts";
import { TrelloAttachment, type TrelloCard } from "../../integrations/trello/shapes.ts";
import {
  SourceRelations,
  toItself,
  tooManyRelations,
  type SourceRelation,
} from "../write/source-relations.ts";

const cardUrl = /^https?:\/\/(?:www\.)?trello\.com\/c\/([A-Za-z0-9]{8,24})(?:[/?#]|$)/i;

/** The most cards that a card may have attached. */
const maxAttached = 1_000;

/** The cards of a board that are attached to other cards: these relate to them. */
export class AttachedCards {
  readonly #ids = new Map<string, string>();
  readonly #attached: { id: string; links: string[] }[] = [];
  readonly #problems = new Map<string, string[]>();
  #relations: SourceRelations | undefined;

  take({ id, shortLink, attachments }: TrelloCard): void {
    const own = nameOf(shortLink);
    for (const name of own === null ? [id] : [own.slice(0, 24), id]) this.#ids.set(name, id);
    const links = attachments.flatMap((attachment) => {
      const { url, isUpload } = TrelloAttachment.parse(attachment);
      const link = typeof url === "string" && !isUpload ? cardUrl.exec(url)?.[1] : undefined;
      return link ?? [];
    });
    if (links.length > 0) this.#attached.push({ id, links: links.slice(0, maxAttached) });
  }

  /** The relations of a card, when all cards are taken. */
  relationsOf(id: string): SourceRelation[] {
    return this.#resolved().of(id);
  }

  /** Why attached cards are not related to a card; cards of other boards are only links. */
  problemsOf(id: string): string[] {
    this.#resolved();
    return this.#problems.get(id) ?? [];
  }

  #resolved(): SourceRelations {
    if (this.#relations !== undefined) return this.#relations;
    const relations = new SourceRelations();
    this.#relations = relations;
    for (const { id, links } of this.#attached) {
      const problems = links.flatMap((link) => {
        const other = this.#ids.get(link);
        if (other === id) return toItself;
        return other === undefined || relations.add(id, "relates", other) ? [] : tooManyRelations;
      });
      if (problems.length > 0) this.#problems.set(id, problems);
    }
    return relations;
  }
}
