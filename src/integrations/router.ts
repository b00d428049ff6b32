import { router } from "../trpc.ts";
import { authorize } from "./authorize.ts";
import { callback } from "./callback.ts";
import { disconnect } from "./disconnect.ts";
import { githubProjects } from "./github-projects.ts";
import { listProviders } from "./providers.ts";

/** Connections to other services. */
export const integrations = router({
  authorize,
  callback,
  githubProjects,
  providers: listProviders,
  disconnect,
});
