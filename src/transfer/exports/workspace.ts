import { z } from "zod";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { query } from "../../kernel/procedures/query.ts";
import { archiveOf } from "./archive.ts";
import { encodeTexts } from "../format/bytes.ts";
import { documentOf } from "./document.ts";
import { Download, inSnapshot } from "./export-scope.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

const What = z.strictObject({
  files: z.boolean().default(false).meta({
    description: "Returns a tar archive: the document, and the files of its attachments.",
  }),
});

/** Exports a workspace as one streamed document, or as an archive with its files. */
export const exportWorkspace = query("workspace.export", What)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/export",
      "Export a workspace",
      "Exports a workspace as one JSON document: roles, members, boards with lists and labels, " +
        "and cards with everything on them. The trash is left out. The export shows the " +
        "workspace at one moment. With `files=true` the response is a tar archive of the " +
        "document and the attached files. Email addresses are included if the caller may see " +
        "them. A complete document ends with `complete: true`. Over tRPC the response is the " +
        "URL of the file.",
      { response: "stream", contentTypes: ["application/json", "application/x-tar"] },
    ),
  )
  .output(Download)
  .query(async ({ ctx, input: { files } }) => {
    const { workspace, membership, caller, client, deps, responseMeta } = ctx;
    const now = deps.clock();
    const source = {
      workspace,
      now,
      reader: {
        ...viewerOf({ membership, caller }),
        workspaceId: workspace.id,
        may: membership.may,
      },
      showEmails: workspace.showEmailsToMembers || membership.may.has("member:edit"),
    };
    const name = `${workspace.slug}-${iso(now).slice(0, 10)}`;
    const served = files
      ? { filename: `${name}.tar`, contentType: "application/x-tar" }
      : { filename: `${name}.json`, contentType: "application/json" };
    delete responseMeta.version;
    responseMeta.stream = {
      ...served,
      open: (disconnected) =>
        inSnapshot(deps.db.snapshots, caller.userId, disconnected, (snapshot) =>
          files
            ? archiveOf(snapshot, source, deps, client)
            : encodeTexts(documentOf(snapshot.query, source)),
        ),
    };
    const url = `${deps.baseUrl}/api/v1/workspaces/${workspace.publicId}/export`;
    return { url: files ? `${url}?files=true` : url, ...served };
  });
