import { z } from "zod";
import { nameOf } from "../../../platform/foreign-text.ts";
import { colours } from "../../integrations/trello/colours.ts";
import { SourceId } from "../../integrations/shapes.ts";
import { TrelloLabel } from "../../integrations/trello/shapes.ts";

/** The most labels that are only on cards; Trello allows a thousand on a board. */
const maxEmbedded = 20_000;

/** A label as it is on a card: old exports write its colour only, or no id. */
const OnCard = z.preprocess(
  (value) => (typeof value === "string" && colours.has(value) ? { color: value } : value),
  TrelloLabel.partial().extend({ id: SourceId.optional().catch(undefined) }),
);
const Names = z.record(z.string(), z.unknown()).catch({});

type Look = { name?: string | null | undefined; color?: string | null | undefined };

/** The id of a label that has none at Trello: labels with the same colour and name are one. */
const idOfLook = ({ name, color }: Look) =>
  `label/${(nameOf(color) ?? "").slice(0, 50)}/${(nameOf(name) ?? "").slice(0, 100)}`;

/** Collects the labels of a board: those in its list, and those that are only on its cards. */
export class LabelReader {
  readonly #listed = new Map<string, TrelloLabel>();
  readonly #embedded = new Map<string, TrelloLabel>();

  /** Takes a label of the board's list. */
  add(label: TrelloLabel): void {
    this.#listed.set(label.id, label);
  }

  /** Takes a label without an id, or one on a card; returns its id, or null for no label. */
  addEmbedded(value: unknown): string | null {
    // An id alone names a label that is elsewhere.
    const id = SourceId.safeParse(value).data;
    if (id !== undefined && !colours.has(id)) return id;
    const label = OnCard.safeParse(value).data;
    if (label === undefined) return null;
    const look = { name: label.name ?? null, color: label.color ?? null };
    const { id: labelId } = label;
    if (nameOf(look.name) === null && nameOf(look.color) === null) return labelId ?? null;
    const key = labelId ?? idOfLook(look);
    if (this.#embedded.size < maxEmbedded && !this.#embedded.has(key))
      this.#embedded.set(key, { ...look, id: key });
    return key;
  }

  /** The labels of a board by the ids on its cards; `labelNames` names its colours. */
  of(boardId: string, labelNames: unknown): Map<string, TrelloLabel> {
    const names = Names.parse(labelNames);
    const labels = new Map(this.#listed);
    const byLook = new Map([...labels.values()].map((label) => [idOfLook(label), label]));
    for (const [key, { name: embeddedName, color }] of this.#embedded) {
      if (labels.has(key)) continue;
      const look = { name: nameOf(embeddedName) ?? nameOf(names[color ?? ""]), color };
      const isNamed = key !== idOfLook({ name: embeddedName, color });
      const label = { ...look, id: isNamed ? key : `${boardId}/${idOfLook(look)}` };
      const sameLook = byLook.get(idOfLook(look));
      labels.set(key, isNamed ? label : (sameLook ?? label));
      if (sameLook === undefined) byLook.set(idOfLook(look), label);
    }
    return labels;
  }
}
