import { attachments } from "./attachments.ts";
import { auth } from "./auth.ts";
import { boards } from "./boards.ts";
import { cards } from "./cards.ts";
import { checklists } from "./checklists.ts";
import { comments } from "./comments.ts";
import { fields } from "./fields.ts";
import { health } from "../../api/health.ts";
import { imports } from "./imports.ts";
import { integrations } from "./integrations.ts";
import { invites } from "./invites.ts";
import { labels } from "./labels.ts";
import { lists } from "./lists.ts";
import { members } from "./members.ts";
import { stats } from "../../api/operator/stats.ts";
import { permissionsOfMembers } from "./permissions.ts";
import { roles } from "./roles.ts";
import { router } from "../../kernel/request/trpc.ts";
import { users } from "./users.ts";
import { views } from "./views.ts";
import { webhooks } from "./webhooks.ts";
import { workspaces } from "./workspaces.ts";

/** All operations by name. */
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
  field: fields,
  view: views,
  checklist: checklists,
  comment: comments,
  attachment: attachments,
  webhook: webhooks,
  integration: integrations,
  import: imports,
  health,
  stats,
});

/** The router type for TypeScript clients. */
export type AppRouter = typeof appRouter;
