import { z } from "zod";
import { BoardName } from "../../contract/fields/shared.ts";
import { externalQuery } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { listGitHubProjects } from "./github/projects.ts";
import { githubToken } from "./grant.ts";

/** A project or board of another service. */
export const External = z
  .object({
    id: z.string().meta({ description: "The id at the service.", examples: ["PVT_kwDOABCD84"] }),
    name: BoardName,
  })
  .meta({ id: "External", description: "A project or board of another service." });

/** The caller's projects on GitHub, and those of their organisations. */
export const githubProjects = externalQuery("integration.githubProjects")
  .meta(
    rest("Integrations").get(
      "/integrations/github/projects",
      "List your projects on GitHub",
      "Returns the caller's projects on GitHub and those of their organisations. It requires a " +
        "connection; `integration.authorize` starts one.",
    ),
  )
  .output(z.array(External))
  .query(async ({ ctx: { caller, deps } }) =>
    listGitHubProjects(
      { apiUrl: deps.config.GITHUB_API_URL },
      await githubToken(deps, caller.userId),
    ),
  );
