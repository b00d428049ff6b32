import { z } from "zod";
import { boardParts } from "./board-parts.ts";
import { cardParts } from "./card-parts.ts";
import { partsIn } from "../fields/part.ts";
import { BoardInfo } from "./boards.ts";
import { CardState } from "./cards.ts";
import { Member } from "./members.ts";
import { Role } from "./roles.ts";
import { ViewInfo } from "./views.ts";
import { WorkspaceInfo } from "./workspaces.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The lines of a snapshot, except the last: what each kind has after `kind`. */
export const snapshotLines = {
  workspace: WorkspaceInfo,
  role: Role,
  member: Member,
  view: ViewInfo,
  board: BoardInfo,
  ...partsIn(boardParts, "lines"),
  card: viewedWith("card:view", CardState.extend({ boardPublicId: z.string() })),
  ...partsIn(cardParts, "lines"),
} as const;

/** The kind of a line. */
export type SnapshotKind = keyof typeof snapshotLines;

/** The value of a line of a kind. */
export type SnapshotLine<Kind extends SnapshotKind> = z.input<(typeof snapshotLines)[Kind]>;

/** How many lines of each kind a snapshot has. */
export type SnapshotCounts = Record<SnapshotKind, number>;
