import { post, type Operation } from "./calls.ts";
import type { Known, Random } from "./operations.ts";

const some = (items: readonly string[], random: Random, most: number): string[] => [
  ...new Set(
    Array.from({ length: 1 + random.below(most) }, () => random.pick(items) ?? "").filter(
      (id) => id !== "",
    ),
  ),
];

/** The changes of a bulk: one or several fields. */
const bulkChanges = (known: Known, random: Random): object =>
  random.pick([
    () => ({ listPublicId: random.pick(known.lists) }),
    () => ({ isArchived: random.flip(), isComplete: random.flip() }),
    () => ({ addLabelPublicIds: some(known.labels, random, 2) }),
    () => ({ removeLabelPublicIds: some(known.labels, random, 2), dueDate: null }),
    () => ({ addMemberPublicIds: some(known.members, random, 2) }),
    () => ({
      listPublicId: random.pick(known.lists),
      isArchived: false,
      removeMemberPublicIds: some(known.members, random, 2),
    }),
  ])?.() ?? {};

const bulk: Operation = (known, random) =>
  post(`/boards/${random.pick(known.boards)}/cards/bulk`, {
    ...(random.flip()
      ? { cardPublicIds: some(known.cards, random, 3) }
      : { filter: { lists: [random.pick(known.lists)] } }),
    set: bulkChanges(known, random),
  });

type Step = { operation: string; input: object };

/** The operations of a batch on cards, of which the first may create its card. */
function steps(known: Known, random: Random): Step[] {
  const cardPublicId = random.flip() ? random.publicId() : (random.pick(known.cards) ?? "");
  const listPublicId = random.pick(known.lists);
  const create = { publicId: cardPublicId, title: random.name(), listPublicId };
  const others: (() => Step)[] = [
    () => ({
      operation: "card.update",
      input: {
        cardPublicId,
        listPublicId: random.pick(known.lists),
        index: random.below(3),
        title: random.name(),
      },
    }),
    () => ({
      operation: "card.update",
      input: { cardPublicId: random.pick(known.cards), isArchived: random.flip() },
    }),
    () => ({
      operation: "card.addLabel",
      input: { cardPublicId, labelPublicId: random.pick(known.labels) },
    }),
    () => ({ operation: "comment.create", input: { cardPublicId, comment: random.name() } }),
    () => ({
      operation: "checklist.create",
      input: { cardPublicId, name: random.name(), items: ["one", "two"] },
    }),
    () => ({
      operation: "list.update",
      input: { listPublicId: random.pick(known.lists), index: random.below(4) },
    }),
    () => ({ operation: "card.delete", input: { cardPublicId: random.pick(known.cards) } }),
  ];
  const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick(others)?.());
  return [
    ...(known.cards.includes(cardPublicId) ? [] : [{ operation: "card.create", input: create }]),
    ...chosen.filter((step) => step !== undefined),
  ];
}

const batch: Operation = (known, random) =>
  post(`/workspaces/${known.workspace}/batch`, { operations: steps(known, random) });

/** Calls that change many resources. */
export const manyCalls: Operation[] = [bulk, bulk, bulk, batch, batch, batch];
