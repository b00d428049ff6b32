"use client";

import {
  StoreProvider,
  useBoard,
  useConnection,
  useStore,
} from "@workspace-board-service/client/react";
import type { DehydratedState } from "@workspace-board-service/client/server";

/** Adds the board that the server has read to the layout's store. */
export function BoardPage({ id, state }: { id: string; state: DehydratedState }) {
  return (
    <StoreProvider store={useStore()} state={state}>
      <Board id={id} />
    </StoreProvider>
  );
}

function Board({ id }: { id: string }) {
  const { status, board, cards, error } = useBoard(id);
  const connection = useConnection();
  if (status === "denied") return <p role="alert">{error.message}</p>;
  if (board === undefined) return <p>{status === "offline" ? "Offline" : "Loading…"}</p>;
  return (
    <main>
      <h1>{board.name}</h1>
      <p role="status">{connection}</p>
      <div style={{ display: "flex", gap: "1rem", alignItems: "start" }}>
        {board.lists.map((list) => (
          <section key={list.publicId} style={{ minWidth: "14rem" }}>
            <h2>
              {list.name} ({list.cardCount})
            </h2>
            {list.cards.map((card) => (
              <p key={card.publicId}>
                {card.title} <button onClick={() => cards.archive(card.publicId)}>Archive</button>
              </p>
            ))}
            <button onClick={() => cards.create({ list: list.publicId, title: "New card" })}>
              Add a card
            </button>
          </section>
        ))}
      </div>
    </main>
  );
}
