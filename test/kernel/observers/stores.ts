import { expect } from "vitest";
import { createClient, type ReadBoards } from "../../../src/client/index.ts";
import { applyCardEvent, applyEvent } from "../../../src/client/store/reducer.ts";
import type { BoardView, CardDetail } from "../../../src/client/store/index.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

type Copies = { boards: Map<string, BoardView>; cards: Map<string, CardDetail>; cursor: string };

const copiesOf = ({ boards, cards, cursor }: ReadBoards): Copies => ({
  boards: new Map(boards.map(({ cursor: _cursor, ...board }) => [board.publicId, board])),
  cards: new Map(cards.map((card) => [card.publicId, card])),
  cursor,
});

/** A resource after events: what is to be read again is not compared. */
function follow<Of>(
  copy: Of,
  events: readonly unknown[],
  apply: (copy: Of, event: never) => Of | "read" | "remove",
): Of | undefined {
  let next: Of | "read" | "remove" = copy;
  for (const event of events) {
    if (next === "read" || next === "remove") return undefined;
    next = apply(next, event as never);
  }
  return next === "read" || next === "remove" ? undefined : next;
}

/**
 * The client's store shows after the events of a write what the service shows: of each board and
 * each open card, unless it reads them again.
 */
export function storesFollow(world: () => World): Observer {
  let before: Copies | undefined;
  const compared = { boards: 0, cards: 0 };
  const client = () =>
    createClient({
      url: "http://boards.test",
      auth: { token: world().fixtures.admin.token },
      fetch: async (url, init) => world().app.fetch(new Request(url, init)),
    });
  const read = async () => {
    const { workspace } = world().fixtures;
    const result = await client()
      .readBoards(workspace.publicId, { details: true })
      .catch(() => undefined);
    return result && copiesOf(result);
  };
  return {
    name: "is followed by the store of a client",
    watches: writes,
    async before() {
      before = await read();
    },
    async after() {
      const after = await read();
      expect(after ?? before).toBeDefined();
      if (before === undefined || after === undefined) return;
      const { publicId: workspacePublicId } = world().fixtures.workspace;
      const { cursor } = before;
      const { items } = await client().workspace.events({ workspacePublicId, cursor });
      for (const [id, board] of before.boards) {
        const next = follow(board, items, applyEvent);
        const fresh = after.boards.get(id);
        if (next === undefined || (fresh === undefined && next.isArchived)) continue;
        expect(next).toEqual(fresh);
        if (next !== board) compared.boards++;
      }
      for (const [id, card] of before.cards) {
        const ofCard = items.filter(({ data }) => "card" in data && data.card?.publicId === id);
        const next = follow(card, ofCard, (copy, event) => applyCardEvent(copy, event, undefined));
        const fresh = after.cards.get(id);
        if (next === undefined || next === card || fresh === undefined) continue;
        expect(next).toEqual(fresh);
        compared.cards++;
      }
    },
    ends: {
      "boards and cards were compared after most events"() {
        expect(compared.boards).toBeGreaterThan(20);
        expect(compared.cards).toBeGreaterThan(10);
      },
    },
  };
}
