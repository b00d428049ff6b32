// What the operator's page shows: each list is one row of this module, with the operations behind it.
import { call, Refusal } from "./operator-api.js";

const anyOf = (...words) => ({ "": "all", ...Object.fromEntries(words.map((one) => [one, one])) });

/** The id of an account, from its id or its address. */
async function userIdOf(account) {
  if (!account.includes("@")) return account;
  const email = account.trim().toLowerCase();
  const { items } = await call("GET /operator/users", { find: email, limit: 100 });
  const user = items.find((one) => one.email === email);
  if (user === undefined) throw new Refusal(404, `No account has the address ${email}.`);
  return user.publicId;
}

const changeUser = (label, input, more = {}) => ({
  label,
  operation: "PUT /operator/users/{userPublicId}",
  input,
  ...more,
});

const linkOf = ({ url, token, expiresAt }) => ({
  text: url ?? token,
  until: expiresAt,
});

const users = {
  caption: "Users",
  read: "GET /operator/users",
  filters: {
    find: { label: "Email, name or id" },
    isDisabled: { label: "State", options: { "": "all", true: "disabled", false: "enabled" } },
    isOperator: { label: "Role", options: { "": "all", true: "operators", false: "others" } },
  },
  columns: {
    Email: "email",
    Name: "name",
    State: ({ isDisabled, isOperator, isEmailVerified }) =>
      [isDisabled && "disabled", isOperator && "operator", !isEmailVerified && "not verified"]
        .filter(Boolean)
        .join(", "),
    "Last seen": "lastSeenAt",
    Workspaces: "workspaceCount",
  },
  nameOf: ({ email }) => email,
  ids: ({ publicId }) => ({ userPublicId: publicId }),
  details: "GET /operator/users/{userPublicId}",
  actions: ({ email, isDisabled, isEmailVerified, isOperator }) => [
    isDisabled
      ? changeUser("Enable", { isDisabled: false })
      : changeUser("Disable", { isDisabled: true }, { text: "Ends sessions, keys and streams." }),
    isEmailVerified ? undefined : changeUser("Verify the address", { isEmailVerified: true }),
    isOperator
      ? changeUser("Remove from operators", { isOperator: false })
      : changeUser("Make an operator", { isOperator: true }, { text: "May do all of this, too." }),
    {
      label: "Create a password link",
      operation: "POST /operator/users/{userPublicId}/password-reset",
      secret: linkOf,
    },
    {
      label: "Mail a password link",
      operation: "POST /operator/users/{userPublicId}/password-reset",
      input: { mail: true },
    },
    {
      label: "Remove the second factors",
      operation: "DELETE /operator/users/{userPublicId}/second-factors",
      text: "The password alone signs in then. Be sure who asks for it.",
    },
    changeUser("Change the address", undefined, {
      fields: {
        email: { label: "New email", type: "email" },
        isEmailVerified: { label: "It is verified", type: "checkbox" },
      },
    }),
    {
      label: "Delete the account",
      operation: "DELETE /operator/users/{userPublicId}",
      confirm: email,
    },
  ],
};

const workspaces = {
  caption: "Workspaces",
  read: "GET /operator/workspaces",
  filters: {
    find: { label: "Name, slug or id" },
    sort: {
      label: "Order",
      options: { created: "newest", cards: "most cards", events: "most events" },
    },
    deleted: { label: "Place", options: { "": "in use", true: "in the trash" } },
    withoutAdmin: { label: "Admin", options: { "": "all", true: "without admin" } },
  },
  columns: {
    Name: "name",
    Slug: "slug",
    Cards: "cardCount",
    Events: "eventCount",
    Files: "fileBytes",
    Members: "memberCount",
    Admins: "adminCount",
    "Last activity": "lastActivityAt",
  },
  nameOf: ({ name }) => name,
  ids: ({ publicId }) => ({ workspacePublicId: publicId }),
  actions: ({ slug, deletedAt, attachmentsQuota }) =>
    deletedAt === null
      ? [
          {
            label: "Set the quota",
            operation: "PUT /operator/workspaces/{workspacePublicId}",
            fields: {
              attachmentsQuota: {
                label: "MiB of files; empty for ATTACHMENTS_QUOTA",
                type: "number",
                value: attachmentsQuota ?? undefined,
              },
            },
          },
          {
            label: "Give it an admin",
            operation: "POST /operator/workspaces/{workspacePublicId}/admins",
            fields: { account: { label: "Email or id of the account", type: "text" } },
            prepare: async ({ account }) => ({ userPublicId: await userIdOf(account) }),
          },
          {
            label: "Delete the workspace",
            operation: "DELETE /operator/workspaces/{workspacePublicId}",
            confirm: slug,
          },
        ]
      : [
          {
            label: "Restore the workspace",
            operation: "POST /operator/workspaces/{workspacePublicId}/restore",
          },
        ],
};

const jobs = {
  caption: "Jobs",
  read: "GET /operator/jobs",
  filters: { status: { label: "Status", options: anyOf("queued", "running", "failed") } },
  columns: {
    Kind: "kind",
    Status: "status",
    Attempts: "attemptCount",
    "Runs at": "runAt",
    Error: "error",
  },
  nameOf: ({ kind }) => `Job: ${kind}`,
  ids: ({ jobId }) => ({ jobId }),
  actions: ({ status }) => [
    status === "running"
      ? undefined
      : { label: "Retry the job", operation: "POST /operator/jobs/{jobId}/retry" },
    status === "failed"
      ? undefined
      : { label: "Cancel the job", operation: "POST /operator/jobs/{jobId}/cancel" },
  ],
};

const webhooks = {
  caption: "Webhooks",
  read: "GET /operator/webhooks",
  filters: { isFailing: { label: "Show", options: { true: "failing", "": "all" } } },
  columns: {
    Name: "name",
    Workspace: "workspaceName",
    "Sends to": "origin",
    Active: "isActive",
    "Failing since": "failingSince",
  },
  nameOf: ({ name }) => name,
  ids: ({ publicId }) => ({ webhookPublicId: publicId }),
  link: ({ publicId }) => [`#deliveries/${publicId}`, "Show its deliveries"],
  actions: ({ isActive }) => [
    isActive
      ? {
          label: "Disable the webhook",
          operation: "POST /operator/webhooks/{webhookPublicId}/disable",
        }
      : undefined,
  ],
};

const deliveries = (webhookPublicId) => ({
  caption: `Deliveries of the webhook ${webhookPublicId}`,
  read: "GET /operator/webhooks/{webhookPublicId}/deliveries",
  input: { webhookPublicId },
  filters: { status: { label: "Status", options: anyOf("pending", "succeeded", "failed") } },
  columns: {
    Event: "type",
    Status: "status",
    Attempts: "attemptCount",
    Answer: "statusCode",
    Error: "error",
  },
  nameOf: ({ type }) => type,
  ids: ({ publicId }) => ({ webhookPublicId, deliveryPublicId: publicId }),
  actions: () => [
    {
      label: "Send it again",
      operation: "POST /operator/webhooks/{webhookPublicId}/deliveries/{deliveryPublicId}/retry",
    },
  ],
});

const imports = {
  caption: "Imports",
  read: "GET /operator/imports",
  filters: {
    status: {
      label: "Status",
      options: anyOf("queued", "running", "completed", "failed", "cancelled"),
    },
  },
  columns: {
    Source: "source",
    Workspace: "workspaceName",
    Status: "status",
    Started: "startedAt",
    Error: "error",
  },
  nameOf: ({ source, workspaceName }) => `Import from ${source} into ${workspaceName}`,
  ids: ({ publicId }) => ({ importPublicId: publicId }),
  actions: ({ status }) => [
    status === "queued" || status === "running"
      ? { label: "Cancel the import", operation: "POST /operator/imports/{importPublicId}/cancel" }
      : undefined,
  ],
};

const log = {
  caption: "What operators did",
  read: "GET /operator/log",
  filters: {},
  columns: {
    At: "createdAt",
    Operation: "operation",
    Operator: ({ operator }) => operator?.email ?? "ADMIN_KEY",
    Input: ({ input }) => JSON.stringify(input),
  },
  nameOf: ({ operation }) => operation,
  ids: ({ requestId, createdAt }) => ({ requestId, createdAt }),
  actions: () => [],
};

/** The lists of each section. */
export const sections = {
  users: { title: "Users", lists: () => [users] },
  workspaces: { title: "Workspaces", lists: () => [workspaces] },
  work: { title: "Work", lists: () => [jobs, webhooks, imports] },
  deliveries: { title: "Deliveries", lists: (webhook) => [deliveries(webhook)] },
  log: { title: "Log", lists: () => [log] },
};
