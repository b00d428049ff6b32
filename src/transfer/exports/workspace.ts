import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { archiveOf } from "./archive.ts";
import { bytesOf } from "./bytes.ts";
import { documentOf } from "./document.ts";
import { Download } from "./download.ts";
import { within } from "./export-scope.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const What = z.strictObject({
  files: z.boolean().default(false).meta({
    description: "Answers a tar archive: the document, and the files of its attachments.",
  }),
});

/** The whole workspace as one document, made while it is sent; with its files, as an archive. */
export const exportWorkspace = query("workspace.export", What)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/export",
      "Export a workspace",
      "The whole workspace as it is at this moment, as one JSON document: roles, members, boards with their lists and labels, cards with all that hangs on them; not what is in the trash. It ends with `complete: true`: without that it broke off on the way. With `files=true` a tar archive of the document and the files. Addresses are in it for those who may see them. Over tRPC it answers where to get it.",
      { response: "stream" },
    ),
  )
  .output(Download)
  .query(
    async ({ ctx: { workspace, membership, caller, deps, responseMeta }, input: { files } }) => {
      const now = deps.clock();
      const wanted = {
        workspace,
        now,
        showEmails: workspace.showEmailsToMembers || membership.may.has("member:edit"),
      };
      const name = `${workspace.slug}-${iso(now).slice(0, 10)}`;
      const served = files
        ? { filename: `${name}.tar`, contentType: "application/x-tar" }
        : { filename: `${name}.json`, contentType: "application/json" };
      delete responseMeta.version;
      responseMeta.stream = {
        ...served,
        open: (gone) =>
          within(deps.db.snapshots, caller.userId, gone, (snapshot) =>
            files
              ? archiveOf(snapshot, wanted, deps.files)
              : bytesOf(documentOf(snapshot.query, wanted)),
          ),
      };
      const url = `${deps.baseUrl}/api/v1/workspaces/${workspace.publicId}/export`;
      return { url: files ? `${url}?files=true` : url, ...served };
    },
  );
