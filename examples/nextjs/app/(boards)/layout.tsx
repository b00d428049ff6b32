import type { ReactNode } from "react";
import { BoardStore } from "./board-store";

/** The pages of a signed-in user share a store. It ends with the sign-out, which leaves them. */
export default function Layout({ children }: { children: ReactNode }) {
  return <BoardStore>{children}</BoardStore>;
}
