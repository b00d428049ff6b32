"use client";

import { createClient } from "@workspace-board-service/client";
import { StoreProvider } from "@workspace-board-service/client/react";
import { createStore } from "@workspace-board-service/client/store";
import { useState, type ReactNode } from "react";

const newStore = () =>
  createStore(
    createClient({
      url: "/bff",
      auth: { cookie: true },
      onSignedOut: () => location.assign("/sign-in"),
    }),
  );

/** Creates one store for all boards; on the server, one per request. */
export function BoardStore({ children }: { children: ReactNode }) {
  const [store] = useState(newStore);
  return <StoreProvider store={store}>{children}</StoreProvider>;
}
