import { action, argument, confirmed, findUserId, listing, optional } from "./admin-command.ts";
import { requireYes, segment } from "./admin-command.ts";
import { group } from "./command.ts";
import { CliFailure, exits } from "./failure.ts";

const user = { user: argument("The account: its address or id") };
const workspace = { workspace: argument("The workspace: its id or slug") };
const find = {
  find: { type: "string", description: "A part of the name or address", valueHint: "text" },
} as const;

/** A command that changes an account. */
const change = (name: string, description: string, json: object) =>
  action(`users ${name}`, description, user, async (values, api) => ({
    method: "PUT",
    path: `/users/${await findUserId(api, String(values["user"]))}`,
    json,
  }));

const users = group(
  { name: "wbs admin users", description: "List and change the accounts of the service" },
  {
    list: listing(
      "users list",
      "List accounts, newest first",
      {
        ...find,
        disabled: { type: "boolean", description: "Only disabled accounts" },
        operators: { type: "boolean", description: "Only accounts of operators" },
      },
      {
        id: "publicId",
        email: "email",
        name: "name",
        "last seen": "lastSeenAt",
        workspaces: "workspaceCount",
        verified: "isEmailVerified",
        disabled: "isDisabled",
        operator: "isOperator",
      },
      () => "/operator/users",
      (values) => ({
        find: optional(values["find"]),
        isDisabled: optional(values["disabled"]),
        isOperator: optional(values["operators"]),
      }),
    ),
    show: action(
      "users show",
      "Show an account with its workspaces",
      user,
      async (values, api) => ({
        method: "GET",
        path: `/users/${await findUserId(api, String(values["user"]))}`,
      }),
    ),
    disable: change("disable", "Disable an account, and end its sessions, keys and streams", {
      isDisabled: true,
    }),
    enable: change("enable", "Let a disabled account sign in again", { isDisabled: false }),
    verify: change("verify", "Count the address of an account as verified", {
      isEmailVerified: true,
    }),
    "make-operator": change("make-operator", "Make an account an operator's", { isOperator: true }),
    "remove-operator": change("remove-operator", "Make an account an ordinary one", {
      isOperator: false,
    }),
    "change-email": action(
      "users change-email",
      "Change the address of an account",
      {
        ...user,
        email: argument("The new address"),
        verified: { type: "boolean", description: "The new address counts as verified" },
      },
      async (values, api) => ({
        method: "PUT",
        path: `/users/${await findUserId(api, String(values["user"]))}`,
        json: { email: values["email"], isEmailVerified: values["verified"] === true },
      }),
    ),
    "reset-password": action(
      "users reset-password",
      "Print a link with which the owner sets a new password",
      { ...user, mail: { type: "boolean", description: "Mail the link instead" } },
      async (values, api) => ({
        method: "POST",
        path: `/users/${await findUserId(api, String(values["user"]))}/password-reset`,
        json: { mail: values["mail"] === true },
      }),
    ),
    "remove-second-factors": action(
      "users remove-second-factors",
      "Remove the second factors of an account whose owner has lost them",
      { ...user, ...confirmed },
      async (values, api) => {
        requireYes(values, `the second factors of ${String(values["user"])}`);
        const id = await findUserId(api, String(values["user"]));
        return { method: "DELETE", path: `/users/${id}/second-factors` };
      },
    ),
    delete: action(
      "users delete",
      "Delete an account, as its owner would",
      { ...user, ...confirmed },
      async (values, api) => {
        requireYes(values, `the account ${String(values["user"])}`);
        const id = await findUserId(api, String(values["user"]));
        return { method: "DELETE", path: `/users/${id}` };
      },
    ),
  },
);

const workspaces = group(
  { name: "wbs admin workspaces", description: "List and change the workspaces of the service" },
  {
    list: listing(
      "workspaces list",
      "List workspaces with their sizes",
      {
        ...find,
        sort: {
          type: "string",
          description: "created (default), activity, cards, events, files or members",
          valueHint: "order",
        },
        deleted: { type: "boolean", description: "Those in the trash" },
        "without-admin": { type: "boolean", description: "Only those without an admin" },
      },
      {
        id: "publicId",
        slug: "slug",
        cards: "cardCount",
        events: "eventCount",
        bytes: "fileBytes",
        members: "memberCount",
        admins: "adminCount",
        "last activity": "lastActivityAt",
      },
      () => "/operator/workspaces",
      (values) => ({
        find: optional(values["find"]),
        sort: optional(values["sort"]),
        deleted: optional(values["deleted"]),
        withoutAdmin: optional(values["without-admin"]),
      }),
    ),
    "set-quota": action(
      "workspaces set-quota",
      "Set how many MiB of files a workspace may have; none for the service's own quota",
      { ...workspace, mebibytes: argument("A number, or none") },
      (values) => ({
        method: "PUT",
        path: `/workspaces/${segment(values["workspace"])}`,
        json: { attachmentsQuota: quotaOf(String(values["mebibytes"])) },
      }),
    ),
    "add-admin": action(
      "workspaces add-admin",
      "Give a workspace without an admin one",
      { ...workspace, ...user },
      async (values, api) => ({
        method: "POST",
        path: `/workspaces/${segment(values["workspace"])}/admins`,
        json: { userPublicId: await findUserId(api, String(values["user"])) },
      }),
    ),
    delete: action(
      "workspaces delete",
      "Move a workspace to the trash",
      { ...workspace, ...confirmed },
      (values) => {
        requireYes(values, `the workspace ${String(values["workspace"])}`);
        return { method: "DELETE", path: `/workspaces/${segment(values["workspace"])}` };
      },
    ),
    restore: action(
      "workspaces restore",
      "Bring a workspace back from the trash",
      workspace,
      (values) => ({
        method: "POST",
        path: `/workspaces/${segment(values["workspace"])}/restore`,
      }),
    ),
  },
);

function quotaOf(text: string): number | null {
  if (text === "none") return null;
  if (/^[0-9]+$/.test(text)) return Number(text);
  throw new CliFailure(exits.usage, `${text} is neither a number of MiB nor none.`);
}

const status = (values: string) =>
  ({
    status: { type: "string", description: `Only ${values}`, valueHint: "status" },
  }) as const;
const webhook = { webhook: argument("The id of the webhook") };

/** A command that does something with one job, webhook or import. */
const post = (name: string, description: string, what: string, path: (id: string) => string) =>
  action(`work ${name}`, description, { id: argument(`The id of the ${what}`) }, (values) => ({
    method: "POST",
    path: path(segment(values["id"])),
  }));

const work = group(
  { name: "wbs admin work", description: "Jobs, webhooks with their deliveries, and imports" },
  {
    jobs: listing(
      "work jobs",
      "List jobs that wait, run or have failed",
      status("queued, running or failed ones"),
      {
        id: "jobId",
        kind: "kind",
        status: "status",
        attempts: "attemptCount",
        "runs at": "runAt",
        error: "error",
      },
      () => "/operator/jobs",
      (values) => ({ status: optional(values["status"]) }),
    ),
    "retry-job": post("retry-job", "Run a job now", "job", (id) => `/jobs/${id}/retry`),
    "cancel-job": post("cancel-job", "Cancel a job", "job", (id) => `/jobs/${id}/cancel`),
    webhooks: listing(
      "work webhooks",
      "List webhooks of all workspaces",
      { failing: { type: "boolean", description: "Only those whose last attempt failed" } },
      {
        id: "publicId",
        workspace: "workspaceName",
        to: "origin",
        active: "isActive",
        "failing since": "failingSince",
      },
      () => "/operator/webhooks",
      (values) => ({ isFailing: optional(values["failing"]) }),
    ),
    "disable-webhook": post(
      "disable-webhook",
      "Disable a webhook",
      "webhook",
      (id) => `/webhooks/${id}/disable`,
    ),
    deliveries: listing(
      "work deliveries",
      "List the deliveries of a webhook, newest first",
      { ...webhook, ...status("pending, succeeded or failed ones") },
      {
        id: "publicId",
        event: "type",
        status: "status",
        attempts: "attemptCount",
        answer: "statusCode",
        error: "error",
      },
      (values) => `/operator/webhooks/${segment(values["webhook"])}/deliveries`,
      (values) => ({ status: optional(values["status"]) }),
    ),
    "retry-delivery": action(
      "work retry-delivery",
      "Send the event of a delivery again",
      { ...webhook, delivery: argument("The id of the delivery") },
      (values) => ({
        method: "POST",
        path:
          `/webhooks/${segment(values["webhook"])}` +
          `/deliveries/${segment(values["delivery"])}/retry`,
      }),
    ),
    imports: listing(
      "work imports",
      "List imports into all workspaces",
      status("queued, running, completed, failed or cancelled ones"),
      {
        id: "publicId",
        workspace: "workspaceName",
        source: "source",
        status: "status",
        started: "startedAt",
        error: "error",
      },
      () => "/operator/imports",
      (values) => ({ status: optional(values["status"]) }),
    ),
    "cancel-import": post(
      "cancel-import",
      "Cancel an import",
      "import",
      (id) => `/imports/${id}/cancel`,
    ),
  },
);

/** The commands of an operator. */
export const admin = group(
  { name: "wbs admin", description: "An operator's commands: accounts, workspaces and work" },
  {
    users,
    workspaces,
    work,
    log: listing(
      "log",
      "List what operators did, newest first",
      {},
      {
        at: "createdAt",
        operation: "operation",
        input: "input",
        operator: "operator",
        address: "ip",
        request: "requestId",
      },
      () => "/operator/log",
    ),
  },
);
