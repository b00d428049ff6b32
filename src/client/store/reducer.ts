import type { BoardEvent } from "../router.ts";
import { boardOf, dropBoard, patches, reloadBoard, type Patch, type Patched } from "./patches.ts";
import type { BoardView } from "./types.ts";

const byType = new Map(
  patches.flatMap(([types, patch]) => types.split(" ").map((type) => [type, patch])),
);

/** The patch of a type of event; the others change no board. */
export const patchOf = (type: string): Patch | undefined =>
  byType.get(type) ?? byType.get(type.replace(/\..*/, ""));

/** A board after an event. The same object when the event changes nothing of it. */
export const applyEvent = (board: BoardView, event: BoardEvent): Patched =>
  patchOf(event.type)?.(board, event.data as Parameters<Patch>[1], event) ?? board;

/** The board that an event may have made visible. */
export const shownBoard = (event: BoardEvent): string | undefined =>
  patchOf(event.type) === reloadBoard || event.type === "board.unarchived"
    ? boardOf(event)
    : undefined;

/** The board can no longer be seen. */
export const lostBoard = (event: BoardEvent): string | undefined =>
  patchOf(event.type) === dropBoard ? boardOf(event) : undefined;
