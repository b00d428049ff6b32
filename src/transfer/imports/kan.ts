import { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { callHost, HostUrl } from "../integrations/hosts.ts";
import { checkAccess, kanHost } from "../integrations/kan/read.ts";
import { SourceId } from "../integrations/shapes.ts";
import { hostContent } from "./host-content.ts";
import { startImport } from "./job/start.ts";

const ids = z
  .array(SourceId.meta({ examples: ["tj2a8n4k1c0x"] }))
  .min(1)
  .max(200);

const KanInput = z.strictObject({
  url: HostUrl.meta({ description: "The address of Kan." }),
  apiKey: z
    .string()
    .min(1)
    .max(4_096)
    .meta({
      description: "The API key of the user at Kan. It is deleted after the import.",
      examples: ["kan_qGHZdAkLwWhuNRbXmYvTpCsEfJoUiKeD"],
    }),
  workspaceIds: ids.optional().meta({ description: "Only boards of these workspaces of Kan." }),
  boardIds: ids.optional().meta({ description: "Only these boards." }),
});

/** Imports boards from Kan's API. */
export const importKan = externalMutation("import.kan", KanInput, { callsOut: true })
  .meta(
    rest("Imports").post(
      "/imports/kan",
      "Import boards from Kan",
      "Starts an import of boards from Kan, which runs in the background: `import.get` returns " +
        "progress and report. Send the address of Kan and an API key. Without ids, all boards " +
        "of all workspaces that the key sees are imported. The key is stored encrypted until " +
        "the import ends. The import waits for Kan's rate limit. Importing the same boards " +
        "again creates only what is missing. Returns 400 if the service may not call the " +
        "address, and 403 if Kan refuses the key.",
      { errors: ["BAD_GATEWAY"] },
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input }) => {
    const { url, apiKey, workspaceIds, boardIds } = input;
    await checkAccess(callHost(kanHost(url, apiKey), ctx.deps.outgoing));
    const selected = { workspaceIds, boardIds };
    const content = hostContent(url, selected);
    const job = { input: { url, apiKey, ...selected }, content };
    return ctx.transact((tx) => startImport(tx, ctx, "kan", job));
  });
