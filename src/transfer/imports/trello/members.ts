import { z } from "zod";
import { nameOf } from "../read/text.ts";
import type { Person } from "../write/people.ts";
import type { BoardReader } from "./board-reader.ts";
import { TrelloId, type Card, type Member } from "./shapes.ts";

const Id = TrelloId.or(z.object({ id: TrelloId }).transform(({ id }) => id));

/** What a card is converted with. */
export type MapContext = {
  reader: BoardReader;
  /** The member here who is a member at Trello. */
  match: (member: Pick<Member, "fullName" | "username" | "email">) => Person | null;
};

/** The name of a member at Trello. */
export const displayName = ({ fullName, username }: Pick<Member, "fullName" | "username">) =>
  [nameOf(fullName), nameOf(username)?.replace(/^/, "@")].filter((one) => one !== null).join(" ") ||
  unknownMember;

/** The name of a member who is not in the source. */
export const unknownMember = "an unknown member";

/** The ids in lists, plain or in objects, each once. */
export const idsOf = (...lists: unknown[][]) => [
  ...new Set(lists.flat().flatMap((one) => Id.safeParse(one).data ?? [])),
];

/** The members of a card who are members here, and the names of the others. */
export function membersOf({ idMembers }: Card, { reader, match }: MapContext) {
  const people = new Map<bigint, Person>();
  const unknown: { id: string; name: string }[] = [];
  for (const id of idsOf(idMembers)) {
    const member = reader.members.get(id);
    const person = member === undefined ? null : match(member);
    if (person !== null) people.set(person.id, person);
    else unknown.push({ id, name: member === undefined ? unknownMember : displayName(member) });
  }
  return { people: [...people.values()], unknown };
}
