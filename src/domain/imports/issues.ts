import { viewingImported } from "../../contract/vocabulary/permissions.ts";
import { cardName } from "../presenters/cards.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Import, ImportIssue, Workspace } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { cardPage } from "../../platform/frontend-pages.ts";

/** An issue of an import, with its card when the viewer may see it. */
export type IssueRow = Omit<ImportIssue, "importId" | "workspaceId"> & {
  boardPublicId: string;
  cardTitle: string;
  cardNumber: number;
};

/** SQL: the columns of an `IssueRow` from the issues `i` and `cardOfIssue`. */
export const issueColumns = sql`i.id, i.kind, i."sourceId", i.name, i.reason, i.detail, i.severity,
  i.count, c."publicId" AS "cardPublicId", b."publicId" AS "boardPublicId",
  c.title AS "cardTitle", c.number AS "cardNumber"`;

/** SQL: joins the live card of the issue `i`, when the viewer may see its board. */
export const cardOfIssue = (viewer: Viewer) => sql`
  LEFT JOIN (cards c
    JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL AND ${isVisible(viewer)}
  ) ON c."publicId" = i."cardPublicId" AND c."workspaceId" = i."workspaceId"
    AND c."deletedAt" IS NULL`;

type Context = {
  import: Import;
  caller: Caller;
  membership: Membership;
  workspace: Pick<Workspace, "publicId" | "cardPrefix">;
  deps: Pick<Deps, "baseUrl" | "config" | "seal">;
};

/**
 * The reader of a report. Names are content: the starter of the import knows them, but a key of
 * the starter may not be allowed to view them.
 */
export const reportReaderOf = (context: Context) => ({
  ...context,
  viewer: viewerOf(context),
  seesNames: viewingImported.every((view) =>
    context.import.createdById === context.caller.userId
      ? keyAllows(context.caller, view)
      : context.membership.may.has(view),
  ),
});

/** The reader of a report: which cards and names they see. */
export type ReportReader = ReturnType<typeof reportReaderOf>;

/** Shows the resource of an issue: its name, what is special about it, and its card. */
export const viewIssueItem = (row: IssueRow, reader: ReportReader) => ({
  sourceId: row.sourceId,
  name: reader.seesNames ? row.name : null,
  detail: reader.seesNames ? row.detail : null,
  card: showCard(row, reader),
});

/** The card with the address of its page, or of itself where no page is set. */
function showCard(row: IssueRow, { workspace, deps }: ReportReader) {
  const { cardPublicId, boardPublicId, cardTitle: title, cardNumber: number } = row;
  if (cardPublicId === null) return null;
  const ids = { workspacePublicId: workspace.publicId, boardPublicId, cardPublicId };
  const url = cardPage(deps.config, ids) ?? `${deps.baseUrl}/api/v1/cards/${cardPublicId}`;
  return { ...cardName({ publicId: cardPublicId, title, number }, workspace), url };
}
