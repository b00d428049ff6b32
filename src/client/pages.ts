/** A page of a listing. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

type Cursor = {
  /** The `nextCursor` of the page before. */
  cursor?: string;
};

/**
 * Iterates over all items of a listing, page by page.
 *
 * `for await (const card of paginate(client.board.cards, { boardPublicId })) …`
 */
export async function* paginate<Input extends object, Item>(
  list: (input: Input & Cursor) => Promise<Page<Item>>,
  input: Input,
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await list(cursor === null ? input : { ...input, cursor });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
