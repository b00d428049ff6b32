import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { isVisible, viewerOf } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Board as BoardRow } from "../../platform/db/rows.ts";
import { notFound, missingPermission } from "../../platform/errors.ts";
import { z } from "zod";
import { boardFields } from "../../contract/fields/board.ts";
import { createShape, fieldsIn, type StoredIn } from "../../contract/fields/field.ts";
import { LabelNameInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkCount, checkLimit } from "../../kernel/limits.ts";
import { ColourCode, name, PublicId } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { columnsOf, storedIn } from "../declared-fields.ts";
import { copyContents } from "./copy-contents.ts";
import { copyViews } from "../parts/views.ts";
import { showView } from "../presenters/views.ts";
import { insertLists } from "../lists/insert.ts";
import { insertBoard, insertLabels } from "./insert.ts";
import { checkSlug } from "./slug.ts";
import { addToBoard } from "./membership.ts";
import { checkCopyVisibility, checkPublishing } from "./publish.ts";
import { Board } from "../../contract/resources/boards.ts";
import { showBoard } from "../presenters/boards.ts";
import { boardDetail } from "./detail.ts";

const NewLabel = z.strictObject({ name: LabelNameInput, colourCode: ColourCode });

/** A label that is given as its name is grey. */
const ofName = (label: string | z.input<typeof NewLabel>) =>
  typeof label === "string" ? { name: label, colourCode: "#6b7280" } : label;

const NewBoard = z
  .strictObject({
    ...createShape(boardFields),
    lists: z
      .array(name(255))
      .max(50)
      .meta({
        description: "The names of the lists, in order.",
        examples: [["To do", "Doing", "Done"]],
      })
      .optional(),
    labels: z
      .array(z.preprocess(ofName, NewLabel).meta({ "x-also-accepts": "string" }))
      .max(50)
      .meta({
        description:
          "The labels of the board. A text instead of a label creates a grey label of that name.",
      })
      .optional(),
    sourceBoardPublicId: PublicId.meta({ description: "Public id of a board to copy." }).optional(),
    withAttachments: z
      .boolean()
      .default(false)
      .meta({ description: "Whether a copy includes the files and links of its source." }),
  })
  .refine(
    ({ sourceBoardPublicId, lists, labels }) =>
      sourceBoardPublicId === undefined || (lists === undefined && labels === undefined),
    {
      error: "Omit lists and labels when you copy a board: the copy has those of its source",
      path: ["sourceBoardPublicId"],
    },
  );

/** Creates a board, with lists and labels or as a copy of another board. */
export const createBoard = mutation("board.create", NewBoard, {
  onReplay: ({ board, workspace, tx }) => boardDetail(tx.query, board, workspace),
})
  .meta(
    rest("Boards").post(
      "/workspaces/{workspacePublicId}/boards",
      "Create a board",
      "Creates a board with the given lists and labels, or as a copy of `sourceBoardPublicId`. " +
        "The caller becomes the first member of the board. A copy has the description, labels, " +
        "lists, and cards with their labels, dates and checklists, in order, and the views with " +
        "scope `board`. With " +
        "`withAttachments` it has their files and links too; files count for the workspace's " +
        "quota and the caller's daily limit. Archived lists and cards, members, comments and " +
        "completed items are not copied. Without `slug`, the slug is derived from the name. Creating a public board also requires `board:edit`, and " +
        "so does copying a restricted board to one that is not restricted. Returns 409 if the " +
        "copy would have more than 200,000 rows, if the workspace would have too many views, or if the " +
        "slug is reserved or taken.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input }) => {
    const { workspace, membership, caller, newId, deps, tx } = ctx;
    const { sourceBoardPublicId, lists = [], labels = [], withAttachments } = input;
    checkPublishing(membership, input.visibility);
    await checkLimit(tx, "boards", workspace.id);
    checkCount(tx.limits, "lists", lists.length);
    checkCount(tx.limits, "labels", labels.length);
    const source =
      sourceBoardPublicId === undefined
        ? null
        : await findSource(tx.query, sourceBoardPublicId, ctx);
    if (source !== null) checkCopyVisibility(membership, source, input.visibility);
    // A copy of a restricted board must not open its content to the workspace.
    const { visibility = source?.visibility === "restricted" ? "restricted" : undefined } = input;
    const owner = { workspaceId: workspace.id, createdById: caller.userId };
    const { slug } = input;
    // The slug of a restricted board gets a suffix, so that none is taken.
    if (slug !== undefined && visibility !== "restricted") await checkSlug(tx, workspace.id, slug);
    const board = await insertBoard(tx, owner, {
      ...source?.copied,
      ...toColumns({ ...input, visibility }, {}, tx.now),
      name: input.name,
      publicId: newId,
      ...(slug === undefined ? {} : { slugs: [slug] }),
    });
    const parent = { ...owner, boardId: board.id };
    await Promise.all([
      insertLists(tx, parent, lists),
      insertLabels(tx, parent, labels),
      addToBoard(tx, board, membership.id),
    ]);
    const selected = { withAttachments, quota: deps.config.ATTACHMENTS_QUOTA };
    const copies = source && (await copyContents(tx, source.id, parent, selected));
    const views = copies && (await copyViews(tx, source.id, parent, copies));
    const shownBoard = showBoard(board);
    tx.emit("board.created", { board: shownBoard });
    for (const view of views ?? [])
      tx.emit("view.created", { view: showView(view, board.publicId), board: shownBoard });
    return boardDetail(tx.query, board, workspace);
  });

const toColumns = storedIn(boardFields, "create");
const copiedFields = fieldsIn(boardFields, "copy");

type Source = Pick<BoardRow, "id" | "visibility"> & {
  copied: Partial<StoredIn<typeof boardFields, "copy">>;
};

/** The permissions to view what a copy shows of its source. */
const viewPermissions = ["board:view", "list:view", "card:view"] as const;

/** Finds the board to copy; 404 unless it is in the same workspace and visible to the caller. */
async function findSource(
  query: Query,
  boardPublicId: string,
  from: { workspace: { id: bigint }; membership: Membership; caller: Caller },
): Promise<Source> {
  const missing = viewPermissions.find((permission) => !from.membership.may.has(permission));
  if (missing !== undefined) throw missingPermission(missing);
  const [row] = await query<Source>(sql`SELECT b.id, b.visibility::text AS visibility,
      (SELECT to_json(f) FROM (SELECT ${columnsOf(copiedFields, "b")}) f) AS copied FROM boards b
    WHERE b."publicId" = ${boardPublicId} AND b."workspaceId" = ${from.workspace.id}
      AND b."deletedAt" IS NULL AND ${isVisible(viewerOf(from))}`);
  if (row === undefined) throw notFound("board");
  return row;
}
