import { colours } from "../../integrations/planka/colours.ts";
import type {
  Included,
  PlankaField,
  PlankaFieldGroup,
  PlankaShared,
  WholeCard,
} from "../../integrations/planka/shapes.ts";
import { nameOf } from "../../../platform/foreign-text.ts";
import type { Skip } from "../write/limits.ts";
import type { SourceField } from "../write/source.ts";
import { sourceField, type FieldInput, type ValueInput } from "../write/source-custom-fields.ts";
import { getOrInsert, groupBy } from "../../../platform/maps.ts";

type FieldWithOptions = FieldInput & { options: NonNullable<FieldInput["options"]> };
/** A field of a group, as one of the board: groups with one name have the same fields. */
type OfBoard = { key: string; group: string; field: PlankaField; isOfCard: boolean };

const inOrder = <Row extends { position: number }>(rows: Iterable<Row>): Row[] =>
  [...rows].toSorted((one, other) => one.position - other.position);

/** Collects the custom fields of a board. At Planka they are in groups of boards and of cards. */
export class PlankaCustomFields {
  readonly #boardId: string;
  readonly #groups = new Map<string, PlankaFieldGroup>();
  readonly #fields = new Map<string, PlankaField>();
  readonly #bases = new Map<string, string | null>();

  constructor(boardId: string) {
    this.#boardId = boardId;
  }

  /** Takes the groups and fields that come with cards. */
  add({ customFieldGroups, customFields }: Pick<Included, "customFieldGroups" | "customFields">) {
    for (const group of customFieldGroups) this.#groups.set(group.id, group);
    for (const field of customFields) this.#fields.set(field.id, field);
  }

  /** Takes the fields that the boards of a project share. */
  addShared({ baseCustomFieldGroups, customFields }: PlankaShared) {
    for (const { id, name } of baseCustomFieldGroups) this.#bases.set(id, name);
    for (const field of customFields) this.#fields.set(field.id, field);
  }

  /** Whether a group has fields that the boards of the project share, and they were not read. */
  get lacksShared(): boolean {
    return [...this.#groups.values()].some(({ baseCustomFieldGroupId: base }) => {
      return base !== null && !this.#bases.has(base);
    });
  }

  /** The fields of the board: those of its groups, then those of groups of cards. */
  source(skip: Skip): SourceField[] {
    const fields = this.#all();
    const groupsOf = new Map<string | null, Set<string>>();
    for (const { group, field } of fields) {
      getOrInsert(groupsOf, nameOf(field.name), () => new Set()).add(group);
    }
    const byKey = new Map<string, FieldWithOptions>();
    for (const { key, group, field } of fields) {
      const name = nameOf(field.name);
      const isAmbiguous = (groupsOf.get(name)?.size ?? 0) > 1 && group !== "";
      const merged = getOrInsert(byKey, key, (): FieldWithOptions => ({
        id: key,
        name: isAmbiguous ? `${group}: ${name ?? ""}` : name,
        type: field.type === "dropdown" ? "select" : field.type,
        isShownOnCard: field.showOnFrontOfCard,
        options: [],
      }));
      for (const { id, name: option, color } of field.config.options) {
        const sourceId = `${key}/${id}`;
        if (merged.options.some((existing) => existing.id === sourceId)) continue;
        const colourCode = colours.get(color ?? "") ?? null;
        merged.options.push({ id: sourceId, name: option, colourCode });
      }
    }
    return [...byKey.values()].map((field) => sourceField(field, skip));
  }

  /** The value of a card in a field of the board. */
  valueOf({ customFieldGroupId, customFieldId, content }: WholeCard["fields"][number]): ValueInput {
    const field = this.#fields.get(customFieldId);
    const fieldName = nameOf(field?.name);
    const group = this.#groups.get(customFieldGroupId ?? "");
    if (field === undefined) return { fieldId: "", sourceId: customFieldId, content };
    const fieldId = this.#keyOf(this.#nameOf(group), field);
    const option = field.config.options.find(({ id, name }) => id === content || name === content);
    const isOption = field.type === "dropdown" && option !== undefined;
    const value = isOption ? `${fieldId}/${option.id}` : content;
    return { fieldId, sourceId: customFieldId, fieldName, content: value };
  }

  #all(): OfBoard[] {
    const byGroup = groupBy(
      inOrder(this.#fields.values()),
      (field) => field.customFieldGroupId ?? field.baseCustomFieldGroupId ?? "",
    );
    const groupFields = inOrder(this.#groups.values()).flatMap((group) => {
      const { id, baseCustomFieldGroupId: base, cardId } = group;
      const name = this.#nameOf(group);
      const fields = [
        ...(byGroup.get(id) ?? []),
        ...(base === null ? [] : (byGroup.get(base) ?? [])),
      ];
      return fields.map((field) => {
        return { key: this.#keyOf(name, field), group: name, field, isOfCard: cardId !== null };
      });
    });
    return groupFields.toSorted((one, other) => Number(one.isOfCard) - Number(other.isOfCard));
  }

  #nameOf(group: PlankaFieldGroup | undefined): string {
    return (
      nameOf(group?.name) ?? nameOf(this.#bases.get(group?.baseCustomFieldGroupId ?? "")) ?? ""
    );
  }

  #keyOf(group: string, { name, type }: PlankaField): string {
    const parts = [group, nameOf(name) ?? ""].map((part) => part.slice(0, 100));
    return [this.#boardId, "field", ...parts, type].join("/");
  }
}
