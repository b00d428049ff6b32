import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/texts.ts";

/** A change of a set of ids: to a whole set, by ids to add and remove, or to toggle. */
export type SetChange = {
  set?: string[] | undefined;
  add?: string[] | undefined;
  remove?: string[] | undefined;
  toggle?: string[] | undefined;
};

/** The ids that a change names, each once. */
export const namedIn = ({ set = [], add = [], remove = [], toggle = [] }: SetChange): string[] => [
  ...new Set([...set, ...add, ...remove, ...toggle]),
];

/** What a change adds to a set and removes from it. */
export function differences(
  change: SetChange,
  current: ReadonlySet<string>,
): { added: string[]; removed: string[] } {
  const { set, add = [], remove = [], toggle = [] } = change;
  const added = [...(set ?? []), ...add, ...toggle].filter((id) => !current.has(id));
  const dropped = set === undefined ? [] : [...current].filter((id) => !set.includes(id));
  const removed = [...dropped, ...[...remove, ...toggle].filter((id) => current.has(id))];
  return { added: [...new Set(added)], removed: [...new Set(removed)] };
}

const ids = (description: string) => z.array(PublicId).max(100).meta({ description }).optional();

/** The input fields that change the labels and the members of a card. */
export const setFields = {
  labelPublicIds: ids("The card has these labels and no others."),
  addLabelPublicIds: ids("Adds these labels."),
  removeLabelPublicIds: ids("Removes these labels."),
  memberPublicIds: ids("These members are assigned and no others."),
  addMemberPublicIds: ids("Assigns these members."),
  removeMemberPublicIds: ids("Unassigns these members."),
};

type Fields = { [Name in keyof typeof setFields]?: string[] | undefined };

/** The change of labels that an input asks for; null without one. */
export const labelChange = (input: Fields) =>
  changeOf(input.labelPublicIds, input.addLabelPublicIds, input.removeLabelPublicIds);

/** The change of members that an input asks for; null without one. */
export const memberChange = (input: Fields) =>
  changeOf(input.memberPublicIds, input.addMemberPublicIds, input.removeMemberPublicIds);

const changeOf = (set?: string[], add?: string[], remove?: string[]): SetChange | null =>
  set === undefined && add === undefined && remove === undefined ? null : { set, add, remove };

const clashes = (change: SetChange | null) =>
  change !== null &&
  ((change.set !== undefined && (change.add !== undefined || change.remove !== undefined)) ||
    change.add?.some((id) => change.remove?.includes(id)) === true);

/** The arguments of a refinement: a set is given whole or by its changes, without a clash. */
export const consistentSets = [
  (fields: Fields) => !clashes(labelChange(fields)) && !clashes(memberChange(fields)),
  {
    error:
      "Set either a whole set or the ids to add and to remove, and no id in both of the latter",
  },
] satisfies [unknown, unknown];
