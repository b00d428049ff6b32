import { createElement, type ReactElement } from "react";
import {
  StoreProvider,
  useBoard,
  useCard,
  useConnection,
  useMutationStatus,
} from "../../../src/client/react/index.ts";
import type { DehydratedState } from "../../../src/client/server/index.ts";
import type { Store } from "../../../src/client/store/index.ts";

function Board({ id }: { id: string }) {
  const { board, status } = useBoard(id, { filter: { field: "text", op: "contains", value: "a" } });
  const [card] = board?.lists[0]?.cards ?? [];
  const { status: cardStatus } = useCard(card?.publicId ?? "");
  const { pending } = useMutationStatus(id);
  const connection = useConnection();
  const cards = board?.lists.flatMap((list) => list.cards) ?? [];
  const items = cards.map(({ publicId, title }) => createElement("li", { key: publicId }, title));
  const states = [status, cardStatus, connection, pending].join(" ");
  return createElement("main", null, createElement("p", null, states), items);
}

/** A page that a server renders and a browser continues. */
export const page = (store: Store, state: DehydratedState): ReactElement =>
  createElement(
    StoreProvider,
    { store, state },
    createElement(Board, { id: state.boards[0]?.publicId ?? "" }),
  );
