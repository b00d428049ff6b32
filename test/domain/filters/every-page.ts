import { expect } from "vitest";
import type { As } from "../../support/as.ts";

/** The cards of all pages of `board.queryCards`. */
export async function everyPage(
  { rest }: Pick<As, "rest">,
  board: string,
  query: object,
): Promise<Record<string, any>[]> {
  const found: Record<string, any>[] = [];
  for (let cursor: string | undefined; ;) {
    const { status, body } = await rest.post(`/boards/${board}/cards/query`, { ...query, cursor });
    expect({ status, body }).toMatchObject({ status: 200 });
    found.push(...body.items);
    if (body.nextCursor === null) return found;
    cursor = body.nextCursor;
  }
}
