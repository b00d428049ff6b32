import { router } from "../../kernel/request/trpc.ts";
import { authorizeConnection } from "../../transfer/integrations/authorize.ts";
import { callback } from "../../transfer/integrations/callback.ts";
import { complete } from "../../transfer/integrations/complete.ts";
import { disconnect } from "../../transfer/integrations/disconnect.ts";
import { githubProjects } from "../../transfer/integrations/github-projects.ts";
import { listProviders } from "../../transfer/integrations/providers.ts";

/** Connections to other services. */
export const integrations = router({
  authorize: authorizeConnection,
  callback,
  complete,
  githubProjects,
  providers: listProviders,
  disconnect,
});
