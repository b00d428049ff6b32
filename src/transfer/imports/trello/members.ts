import { z } from "zod";
import { nameOf, withoutAddresses } from "../read/text.ts";
import type { Person, SourcePerson } from "../write/model.ts";
import type { BoardReader } from "./board-reader.ts";
import { TrelloId, type Card, type Member } from "./shapes.ts";

const Id = TrelloId.or(z.object({ id: TrelloId }).transform(({ id }) => id));

/** What a card is converted with. */
export type MapContext = {
  reader: BoardReader;
  /** The members that people at Trello are mapped to, by their ids at Trello. */
  mapped: ReadonlyMap<string, Person>;
};

/** The name of a member at Trello. */
const displayName = ({ fullName, username }: Pick<Member, "fullName" | "username">) =>
  withoutAddresses(
    [nameOf(fullName), nameOf(username)?.replace(/^/, "@")].filter((one) => one !== null).join(" "),
  ) || unknownMember;

/** The name of a member who is not in the source. */
export const unknownMember = "an unknown member";

/** The ids in lists, plain or in objects, each once. */
export const idsOf = (...lists: unknown[][]) => [
  ...new Set(lists.flat().flatMap((one) => Id.safeParse(one).data ?? [])),
];

/** A person at Trello. */
export function personOf(sourceId: string, { members }: BoardReader): SourcePerson {
  const member = members.get(sourceId);
  return { sourceId, name: member === undefined ? unknownMember : displayName(member) };
}

/** The people on a card. */
export const peopleOf = ({ idMembers }: Card, { reader }: MapContext): SourcePerson[] =>
  idsOf(idMembers).map((sourceId) => personOf(sourceId, reader));
