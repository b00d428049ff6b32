import { z } from "zod";
import { cardParts } from "./card-parts.ts";
import { partsIn } from "../fields/part.ts";
import { BoardInfo } from "./boards.ts";
import { CardState } from "./cards.ts";
import { CustomField } from "./fields.ts";
import { Label } from "./labels.ts";
import { ListInfo } from "./lists.ts";
import { Member } from "./members.ts";
import { Role } from "./roles.ts";
import { WorkspaceInfo } from "./workspaces.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

const boardPublicId = z.string();

/** The lines of a snapshot, except the last: what each kind has after `kind`. */
export const snapshotLines = {
  workspace: WorkspaceInfo,
  role: Role,
  member: Member,
  board: BoardInfo,
  label: viewedWith("board:view", Label.extend({ boardPublicId })),
  field: viewedWith("board:view", CustomField.extend({ boardPublicId })),
  list: viewedWith("list:view", ListInfo.extend({ boardPublicId })),
  card: viewedWith("card:view", CardState.extend({ boardPublicId })),
  ...partsIn(cardParts, "lines"),
} as const;

/** The kind of a line. */
export type SnapshotKind = keyof typeof snapshotLines;

/** The value of a line of a kind. */
export type SnapshotLine<Kind extends SnapshotKind> = z.input<(typeof snapshotLines)[Kind]>;

/** How many lines of each kind a snapshot has. */
export type SnapshotCounts = Record<SnapshotKind, number>;
