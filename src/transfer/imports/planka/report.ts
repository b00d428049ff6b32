import type { CallHost } from "../../integrations/hosts.ts";
import { storedCards } from "../../integrations/planka/read.ts";
import type { PlankaBoard, PlankaList, PlankaUser } from "../../integrations/planka/shapes.ts";
import { nameOf, textOf } from "../../../platform/foreign-text.ts";
import type { ImportContext } from "../job/context.ts";
import { checkMax, type Skip } from "../write/limits.ts";
import { personOf } from "./map-card.ts";

type People = {
  users: ReadonlyMap<string, PlankaUser>;
  /** The projects that are favourites of the account. */
  favouriteIds: ReadonlySet<string>;
};

/** Reports what a board has at Planka and not here: its members, and that it is a favourite. */
export function reportBoard(
  { item, included }: PlankaBoard,
  { users, favouriteIds }: People,
  skip: Skip,
): void {
  for (const { id: sourceId, userId, role } of included.boardMemberships)
    skip({
      kind: "boardMember",
      sourceId,
      name: personOf(userId, users).name,
      reason: "Members of boards are not imported. Invite them to the workspace.",
      detail: textOf(role),
    });
  const favourites = included.projects.filter(({ id }) => favouriteIds.has(id));
  for (const { id: sourceId, name } of favourites)
    skip({
      kind: "favourite",
      sourceId,
      name: nameOf(name),
      reason: "Favourites are not imported.",
      detail: nameOf(item.name),
    });
}

/** Reports the cards that stay in the trash at Planka. */
export async function reportTrash(
  context: ImportContext,
  call: CallHost,
  lists: PlankaList[],
): Promise<void> {
  const reason = "It is in the trash of Planka.";
  let count = 0;
  for (const { id } of lists.filter(({ type }) => type === "trash"))
    for await (const { items } of storedCards(call, id)) {
      checkMax("cards", (count += items.length));
      for (const { id: sourceId, name } of items)
        context.skip({ kind: "card", sourceId, name: nameOf(name), reason });
      await context.flush();
    }
}
