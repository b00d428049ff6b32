import { z } from "zod";
import { cardParts } from "../../contract/resources/card-parts.ts";
import { selectedShape } from "../../contract/fields/part.ts";
import { snapshotLines } from "../../contract/resources/snapshot.ts";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { endOfLog, tagOf } from "../../kernel/events/log.ts";
import { workspaceLog } from "../../kernel/events/logs.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Download } from "../exports/export-scope.ts";
import { inSnapshot } from "../exports/export-scope.ts";
import { encodeTexts } from "../format/bytes.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { checkBoards, openSnapshot } from "./open.ts";

const maxBoards = 100;

/** What a snapshot shows. */
export const SnapshotSelection = z.strictObject({
  boardPublicIds: z
    .array(PublicId)
    .min(1, "Must have at least one id; omit the field to include all")
    .max(maxBoards)
    .meta({ description: "Only these boards." })
    .optional(),
  archived: z.boolean().default(false).meta({
    description: "Includes archived boards, lists and cards.",
  }),
  ...selectedShape(cardParts),
});

const kinds = Object.keys(snapshotLines)
  .map((kind) => `\`${kind}\``)
  .join(", ");
const contentType = "application/x-ndjson";

/** Streams a workspace as the caller can see it, at one point of its log. */
export const snapshotWorkspace = query("workspace.snapshot", SnapshotSelection)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/snapshot",
      "Get a workspace snapshot",
      "Returns everything in a workspace that the caller can see, at one moment, as lines of " +
        `JSON. Each line has a \`kind\`: ${kinds}. ` +
        "Its fields are those of the resource's " +
        "list or of `card.get`. The last line has the kind `end`, `counts` by kind, and the " +
        "`cursor` from which the feed has all later events. A snapshot without that line is " +
        "incomplete. With `If-None-Match` it returns 304 if there are no new events. Over tRPC " +
        "the response is the URL of the stream.",
      { response: "stream", contentTypes: [contentType], snapshot: true },
    ),
  )
  .output(Download)
  .query(async ({ ctx, input }) => {
    const { workspace, caller, deps, responseMeta } = ctx;
    const { workspacePublicId, ...selection } = input;
    const reader = { credential: requireCredential(ctx), workspaceId: workspace.id, deps };
    const served = { filename: `${workspace.slug}.ndjson`, contentType };
    const { boardPublicIds, archived, ...parts } = selection;
    const boards = {
      workspaceId: workspace.id,
      viewer: viewerOf(ctx),
      publicIds: boardPublicIds ?? null,
      archived,
    };
    delete responseMeta.version;
    responseMeta.stream = {
      ...served,
      tag: await deps.db.readSnapshot(async (read) => {
        await checkBoards(read, boards);
        return tagOf(await endOfLog(read, workspaceLog(workspace.id)));
      }),
      open: (disconnected) =>
        inSnapshot(deps.db.snapshots, caller.userId, disconnected, async (snapshot) =>
          encodeTexts(
            await openSnapshot(snapshot.query, reader, { boardPublicIds, archived, parts }),
          ),
        ),
    };
    const path = `workspaces/${workspacePublicId}/snapshot`;
    return { url: `${deps.baseUrl}/api/v1/${path}?${parametersOf(selection)}`, ...served };
  });

/** The selection as query parameters. */
function parametersOf({ boardPublicIds, ...switches }: z.output<typeof SnapshotSelection>) {
  const parameters = new URLSearchParams(
    Object.entries(switches).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (boardPublicIds !== undefined) parameters.set("boardPublicIds", boardPublicIds.join());
  return parameters.toString();
}
