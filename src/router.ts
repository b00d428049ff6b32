import { attachments } from "./attachments/router.ts";
import { auth } from "./auth/router.ts";
import { boards } from "./boards/router.ts";
import { cards } from "./cards/router.ts";
import { checklists } from "./checklists/router.ts";
import { comments } from "./comments/router.ts";
import { health } from "./http/health.ts";
import { imports } from "./imports/router.ts";
import { integrations } from "./integrations/router.ts";
import { invites } from "./invites/router.ts";
import { labels } from "./labels/router.ts";
import { lists } from "./lists/router.ts";
import { members } from "./members/router.ts";
import { stats } from "./operator/stats.ts";
import { permissionsOfMembers } from "./permissions/router.ts";
import { roles } from "./roles/router.ts";
import { router } from "./trpc.ts";
import { users } from "./users/router.ts";
import { webhooks } from "./webhooks/router.ts";
import { workspaces } from "./workspaces/router.ts";

/** Every operation, by its name. */
export const appRouter = router({
  auth,
  user: users,
  workspace: workspaces,
  member: members,
  invite: invites,
  permission: permissionsOfMembers,
  role: roles,
  board: boards,
  list: lists,
  card: cards,
  label: labels,
  checklist: checklists,
  comment: comments,
  attachment: attachments,
  webhook: webhooks,
  integration: integrations,
  import: imports,
  health,
  stats,
});

/** The type that a TypeScript client is made with. */
export type AppRouter = typeof appRouter;
