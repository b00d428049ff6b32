import { z } from "zod";
import { Attachment } from "./attachments.ts";
import { BoardInfo } from "./boards.ts";
import { CardState } from "./cards.ts";
import { Checklist } from "./checklists.ts";
import { Comment } from "./comments.ts";
import { Label } from "./labels.ts";
import { ListInfo } from "./lists.ts";
import { Member } from "./members.ts";
import { Role } from "./roles.ts";
import { WorkspaceInfo } from "./workspaces.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

const [boardPublicId, cardPublicId] = [z.string(), z.string()];

/** Each line has a `kind` of its own. */
const { kind: attachmentKind, ...attachment } = Attachment.shape;
const AttachmentLine = z.object({ ...attachment, attachmentKind, cardPublicId });

/** The lines of a snapshot beside the last: what each kind has after `kind`. */
export const snapshotLines = {
  workspace: WorkspaceInfo,
  role: Role,
  member: Member,
  board: BoardInfo,
  label: viewedWith("board:view", Label.extend({ boardPublicId })),
  list: viewedWith("list:view", ListInfo.extend({ boardPublicId })),
  card: viewedWith("card:view", CardState.extend({ boardPublicId })),
  checklist: viewedWith("card:view", Checklist.omit({ itemCount: true }).extend({ cardPublicId })),
  attachment: viewedWith("card:view", AttachmentLine),
  comment: viewedWith("comment:view", Comment.extend({ cardPublicId })),
} as const;

/** The kind of a line. */
export type SnapshotKind = keyof typeof snapshotLines;

/** The value of a line of a kind. */
export type SnapshotLine<Kind extends SnapshotKind> = z.input<(typeof snapshotLines)[Kind]>;

/** How many lines of each kind a snapshot has. */
export type SnapshotCounts = Record<SnapshotKind, number>;
