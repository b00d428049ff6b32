import { randomBytes } from "node:crypto";
import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { receiveFile } from "./uploads.ts";
import { documentBytes } from "../format/archive-reader.ts";
import { examineTask } from "../format/examine.ts";
import { parseOne } from "../../platform/parsing/pool.ts";
import { deleteRows, reserve, start } from "./workspace/start.ts";

const mebibyte = 1024 * 1024;
/** The largest document, without files. */
const documentLimit = 2_048 * mebibyte;

/** How callers share the examination of files: each holds the ids of its document in memory. */
export const examinationShares: ShareLimits = {
  size: 2,
  perCaller: 1,
  perTenant: 1,
  queue: 32,
  queuePerCaller: 2,
  waitMs: 10 * 60_000,
};
const examinations = new FairShare(examinationShares);

/** Imports an exported workspace as a new workspace. */
export const importWorkspace = externalMutation("workspace.import")
  .meta(
    rest("Imports").post(
      "/imports/workspace",
      "Import a workspace",
      "Creates a workspace from an exported document, or from an archive with its files. Send " +
        "it as the body, or as the one file of a form. The whole upload is checked first; 400 " +
        "names what is invalid and where. The caller becomes admin of the new workspace, and " +
        "its content is imported in the background: `import.get` returns progress and report. " +
        "Other members are added as invited; no mail is sent. Files are accepted over REST " +
        "only; tRPC returns 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(({ ctx }) => {
    const { deps, caller, transact } = ctx;
    const quota = deps.config.ATTACHMENTS_QUOTA;
    return receiveFile(ctx, {
      path: "/imports/workspace",
      maxBytes: quota * mebibyte + documentLimit,
      reserve: () => transact((tx) => reserve(tx, caller)),
      async examine({ storageKey }, { sha256, size, head, countText }) {
        const documentSize = documentBytes(head, size);
        if (documentSize > documentLimit) throw tooLarge(documentLimit);
        await countText(documentSize);
        const options = { email: caller.email, limits: deps.config.LIMITS, quota };
        // A slow upload takes no turn: the file is stored before it is examined.
        const examined = await examinations.run(String(caller.userId), async () =>
          parseOne(examineTask, await deps.files.get(storageKey), options),
        );
        return { ...examined, sha256, seed: randomBytes(16).toString("hex") };
      },
      queue: (reserved, examined) => transact((tx) => start(tx, ctx, reserved, examined)),
      deleteRows,
    });
  });
