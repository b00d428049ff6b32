import { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isBound } from "../../kernel/access/callers.ts";
import { forbidden } from "../../platform/errors.ts";
import { githubToken } from "../integrations/grant.ts";
import { startImport } from "./job/start.ts";

const Projects = z.strictObject({
  projectIds: z
    .array(z.string().regex(/^[A-Za-z0-9_=-]{1,100}$/, "Must be the id of a project at GitHub"))
    .min(1)
    .max(20)
    .meta({
      description: "The ids of the projects, from `integration.githubProjects`.",
      examples: [["PVT_kwDOABCD84"]],
    }),
});

/** Imports projects (v2) from GitHub through the caller's connection. */
export const importGitHub = externalMutation("import.github", Projects, { callsOut: true })
  .meta(
    rest("Imports").post(
      "/imports/github/projects",
      "Import projects from GitHub",
      "Starts an import of GitHub projects, which runs in the background: `import.get` returns " +
        "progress and report. Send the ids of projects (v2) from `integration.githubProjects`. " +
        "Each project becomes a board: its columns become lists; its issues, pull requests and " +
        "drafts become cards. Importing the same projects again creates only what is missing. " +
        "Returns 403 without a connection (`integration.authorize`), and for an API key that is " +
        "bound to permissions, a workspace or a board.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input: { projectIds } }) => {
    const { deps, caller, transact } = ctx;
    // The connection belongs to the account, as `integration.githubProjects` does.
    if (caller.key !== null && isBound(caller.key))
      throw forbidden(
        "api_key_bound",
        "An API key bound to permissions, a workspace or a board cannot use GitHub connections.",
      );
    await githubToken(deps, caller.userId);
    const input = { projectIds, userId: String(caller.userId) };
    const content = `projects ${[...new Set(projectIds)].toSorted().join()}`;
    return transact((tx) => startImport(tx, ctx, "github", { input, content }));
  });
