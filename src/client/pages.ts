/** A page of a listing. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/**
 * Iterates over all items of a listing, page by page.
 *
 * `for await (const card of paginate(client.board.cards, { boardPublicId })) …`
 */
export async function* paginate<Input, Item>(
  list: (input: Input) => Promise<Page<Item>>,
  // `list` decides the type first: text such as `due: "overdue"` is one of its values.
  input: NonNullable<Input>,
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await list(cursor === null ? input : { ...input, cursor });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
