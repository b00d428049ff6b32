import { clientOf, type Home } from "./service-client.ts";

/**
 * What a card may look like: as it was last acknowledged, or as the write that was broken off would
 * have made it.
 */
export type Written = { title: string; list: string };
type Card = { acknowledged: Written; pending?: Written };

/**
 * A client that creates cards and moves its own until the service breaks off; it remembers what was
 * acknowledged.
 */
export type Writer = {
  cards: Map<string, Card>;
  /** How many creates had no answer: each may have made a card or not. */
  unanswered: number;
  /** Writes until the connection breaks; counts every acknowledged write. */
  run: (acknowledged: () => void) => Promise<void>;
};

/** A writer on a home; `url` is where the service is just now. */
export function writer(url: () => string, home: Home, name: string): Writer {
  const call = clientOf(url, home.token);
  let turn = 0;
  const one: Writer = {
    cards: new Map(),
    unanswered: 0,
    async run(acknowledged) {
      for (;;) {
        turn++;
        const list = home.lists[turn % 2] ?? "";
        const ids = [...one.cards.keys()];
        const id = ids[(turn * 7) % Math.max(1, ids.length)];
        const change = { title: `${name} ${turn}`, list };
        const card = id === undefined || turn % 3 === 0 ? undefined : one.cards.get(id);
        if (card !== undefined) card.pending = change;
        const body = { title: change.title, listPublicId: list, index: turn % 5 };
        const response = await (
          card === undefined ? call("POST", "/cards", body) : call("PUT", `/cards/${id}`, body)
        ).catch(() => undefined);
        if (response === undefined || response.status === 503) {
          if (card === undefined) one.unanswered++;
          if (response === undefined) return;
          continue;
        }
        if (response.status !== 200)
          throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
        if (card === undefined) one.cards.set(response.body.publicId, { acknowledged: change });
        else {
          card.acknowledged = change;
          delete card.pending;
        }
        acknowledged();
      }
    },
  };
  return one;
}
