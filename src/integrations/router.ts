import { router } from "../trpc.ts";
import { authorize } from "./authorize.ts";
import { callback } from "./callback.ts";
import { githubProjects } from "./github-projects.ts";

/** Connections to other services. */
export const integrations = router({ authorize, callback, githubProjects });
