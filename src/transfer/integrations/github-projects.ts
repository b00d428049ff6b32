import { z } from "zod";
import { externalQuery } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { listGitHubProjects } from "./github/projects.ts";
import { githubToken } from "./grant.ts";

/** A project or board of another service. */
export const External = z.object({ id: z.string(), name: z.string() }).meta({ id: "External" });

/** The caller's projects on GitHub, and those of their organisations. */
export const githubProjects = externalQuery("integration.githubProjects")
  .meta(
    rest("Integrations").get(
      "/integrations/github/projects",
      "List your projects on GitHub",
      "The caller's projects on GitHub, and those of their organisations. Needs a " +
        "connection, which starts at `integration.authorize`.",
    ),
  )
  .output(z.array(External))
  .query(async ({ ctx: { caller, deps } }) =>
    listGitHubProjects(
      { apiUrl: deps.config.GITHUB_API_URL },
      await githubToken(deps, caller.userId),
    ),
  );
