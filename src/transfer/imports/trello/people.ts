import { z } from "zod";
import { nameOf } from "../clean.ts";
import type { Person } from "../people.ts";
import type { Reading } from "./reading.ts";
import { TrelloId, type Card, type Member } from "./shapes.ts";

const Id = TrelloId.or(z.object({ id: TrelloId }).transform(({ id }) => id));

/** What a card is read with. */
export type Around = {
  reading: Reading;
  /** Who somebody at Trello is here. */
  match: (member: Pick<Member, "fullName" | "username" | "email">) => Person | null;
};

/** Somebody at Trello by the name that people know them by. */
export const calledAs = ({ fullName, username }: Pick<Member, "fullName" | "username">) =>
  [nameOf(fullName), nameOf(username)?.replace(/^/, "@")].filter((one) => one !== null).join(" ") ||
  "somebody";

/** The ids that a list holds, as they are or in objects, each once. */
export const idsOf = (...lists: unknown[][]) => [
  ...new Set(lists.flat().flatMap((one) => Id.safeParse(one).data ?? [])),
];

/** Who is on a card: those who are members here, and the names of those who are not. */
export function peopleOf({ idMembers }: Card, { reading, match }: Around) {
  const people = new Map<bigint, Person>();
  const unknown: { id: string; name: string }[] = [];
  for (const id of idsOf(idMembers)) {
    const member = reading.members.get(id);
    const person = member === undefined ? null : match(member);
    if (person !== null) people.set(person.id, person);
    else
      unknown.push({ id, name: member === undefined ? "somebody who has left" : calledAs(member) });
  }
  return { people: [...people.values()], unknown };
}
