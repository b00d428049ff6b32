import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { rest } from "../../kernel/request/rest.ts";
import { githubToken } from "../integrations/grant.ts";
import { startImport } from "./start.ts";
import { Import } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";

const Projects = z.strictObject({
  projectIds: z
    .array(z.string().regex(/^[\w=-]{1,100}$/, "Must be the id of a project at GitHub"))
    .min(1)
    .max(20),
});

/** Imports projects (v2) from GitHub, by the caller's connection. */
export const importGitHub = externalMutation("import.github", Projects)
  .meta(
    rest("Imports").post(
      "/imports/github/projects",
      "Import projects from GitHub",
      "Projects (v2) by their ids, as `integration.githubProjects` lists them, each as a board: its columns become lists, its issues, pull requests and drafts cards. Answers the import, which then runs in the background: ask `import.get` how far it is and what did not come over whole. Importing the same projects again makes only what is not there yet. Needs a connection, which starts at `integration.authorize`; 403 without.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input: { projectIds } }) => {
    const { deps, workspace, caller, requestMetadata, transact } = ctx;
    await githubToken(deps, caller.userId);
    const ask = { projectIds, userId: String(caller.userId) };
    const same = `projects ${[...new Set(projectIds)].toSorted().join()}`;
    const row = await transact((tx) =>
      startImport(tx, deps, { workspace, caller }, "github", { ask, same, requestMetadata }),
    );
    return viewImport(row, workspace);
  });
