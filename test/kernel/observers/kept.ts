import { expectKept } from "../../support/kept.ts";
import { writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** What the rows of cards have of their parts is what is there, after each write. */
export function keepsParts(world: () => World): Observer {
  return {
    name: "keeps what the rows of cards have of their parts",
    watches: (operation) => writes(operation),
    after: () => expectKept(world().app),
  };
}
