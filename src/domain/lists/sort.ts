import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { sortInSlices } from "../../platform/sort-in-slices.ts";
import { success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockCardsOf, readArrived, placeArrived, setOrder, type ListCard } from "./lock-cards.ts";
import { SortedList } from "../../contract/resources/lists.ts";
import { listDetail } from "./detail.ts";
import { showList } from "../presenters/lists.ts";

const Sort = z.strictObject({
  by: z.enum(["title", "dueDate", "createdAt"]).meta({
    id: "ListSortField",
    description: "What the cards of a list are sorted by.",
    examples: ["dueDate"],
  }),
  order: z
    .enum(["asc", "desc"])
    .meta({ id: "SortOrder", description: "Ascending or descending." })
    .default("asc"),
});

const titles = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const comparers: Record<z.infer<typeof Sort>["by"], (one: ListCard, other: ListCard) => number> = {
  title: (one, other) => titles.compare(one.title, other.title),
  dueDate: (one, other) => (one.dueDate?.getTime() ?? 0) - (other.dueDate?.getTime() ?? 0),
  createdAt: (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
};

const inOrder = (cards: ListCard[], { by, order }: z.infer<typeof Sort>) =>
  sortInSlices(cards, (one, other) => {
    if (by === "dueDate" && (one.dueDate === null || other.dueDate === null)) {
      return Number(one.dueDate === null) - Number(other.dueDate === null);
    }
    return comparers[by](one, other) * (order === "asc" ? 1 : -1);
  });

/** Sorts the cards of a list that are not archived, once. */
export const sortList = mutation("list.sort", Sort, {
  // The list is locked last: while thousands of cards are written, others can add cards to it.
  async beforeLock({ list, tx }, input) {
    const cards = await lockCardsOf(tx, list.id);
    const sortedCards = await inOrder(cards, input);
    const isSorted = sortedCards.every((card, nth) => card === cards[nth]);
    if (!isSorted) await setOrder(tx, sortedCards, list.id);
    return { sortedCards, isSorted };
  },
})
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/sort",
      "Sort the cards of a list",
      "Sorts the cards of a list once, by title (numbers by value), due date or creation date. " +
        "Archived cards are left out. Cards without a due date come last in both orders, and " +
        "equal cards stay in order.",
    ),
  )
  .output(SortedList)
  .mutation(async ({ ctx, input }) => {
    const { list, board, tx } = ctx;
    const { sortedCards, isSorted } = ctx.before;
    const arrived = await readArrived(tx, list.id, sortedCards);
    const show = async (row: typeof list) => ({
      ...(await listDetail(tx.query, row, board)),
      ...success,
    });
    if (isSorted && arrived.length === 0) return show(list);
    const sorted = await inOrder([...sortedCards, ...arrived], input);
    if (isSorted) await setOrder(tx, sorted, list.id);
    else if (arrived.length > 0) await placeArrived(tx, sorted, new Set(arrived));
    const after = await tx.prisma.list.update({
      where: { id: list.id },
      data: { version: { increment: 1 }, updatedAt: tx.now },
    });
    const cardPublicIds = sorted.map(({ publicId }) => publicId);
    tx.emit("list.sorted", { list: showList(after), board, ...input, cardPublicIds });
    return show(after);
  });
