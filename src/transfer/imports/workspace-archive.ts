import { randomBytes } from "node:crypto";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { limitsOf } from "../../platform/config.ts";
import { Failure } from "../../platform/errors.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { rest } from "../../kernel/request/rest.ts";
import { examining } from "./workspace/examine.ts";
import { begin, forget, start } from "./workspace/start.ts";
import { Import } from "../../contract/resources/imports.ts";

const mebibyte = 1024 * 1024;

/** Makes a new workspace of what `workspace.export` has written. */
export const importWorkspace = externalMutation("workspace.import")
  .meta(
    rest("Imports").post(
      "/imports/workspace",
      "Import a workspace",
      "The body is what `workspace.export` answers: the document, or the archive with the files. It is read to its end first, and 400 says what is wrong with it and where. Then a new workspace is made, whose admin is the caller, and what is in the document comes in the background: ask `import.get` how far it is and what did not come over whole. The other members come as invited, without a mail. REST only: over tRPC it is 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(async ({ ctx }) => {
    const { requestBody, deps, caller, transact } = ctx;
    if (requestBody === undefined) throw restOnly();
    const quota = deps.config.ATTACHMENTS_QUOTA;
    // The files, and as much of a document as anybody has.
    const limit = (quota + 2_048) * mebibyte;
    if (requestBody.length !== undefined && requestBody.length > limit) throw tooLarge(limit);
    const parked = await transact((tx) => begin(tx, caller));
    try {
      const { bytes, result } = examining(requestBody.bytes, {
        email: caller.email,
        rooms: limitsOf(deps.config),
        quota,
      });
      const { sha256 } = await deps.files.put(parked.storageKey, bytes, limit);
      const found = { ...(await result), sha256, seed: randomBytes(16).toString("hex") };
      const started = await transact((tx) => start(tx, ctx, parked, found));
      if (started.isOther) await forget(deps, parked);
      return started.import;
    } catch (error) {
      await forget(deps, parked);
      throw error;
    }
  });

const restOnly = () =>
  new Failure("UNSUPPORTED_MEDIA_TYPE", [
    {
      message: "The document goes over REST only: POST it to /api/v1/imports/workspace.",
      code: "rest_only",
    },
  ]);
