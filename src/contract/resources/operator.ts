import { z } from "zod";
import {
  ClientAddress,
  CreatedAt,
  DeletedAt,
  MemberName,
  WebhookName,
  WorkspaceName,
  WorkspaceSlug,
} from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Bytes, Timestamp } from "../vocabulary/texts.ts";
import { Import } from "./imports.ts";

const count = (description: string, example: number) =>
  z.int().meta({ description, examples: [example] });

const moment = (description: string, example: string | null) =>
  Timestamp.nullable().meta({ description, examples: [example] });

const accountEmail = z
  .string()
  .meta({ description: "The email address.", examples: ["ada@example.com"] });

/** An account, as operators see it. */
export const OperatorUser = z
  .object({
    publicId: idOf("user"),
    email: accountEmail,
    name: MemberName,
    isEmailVerified: z
      .boolean()
      .meta({ description: "Whether the owner has proved to read mail there.", examples: [true] }),
    isDisabled: z
      .boolean()
      .meta({ description: "Whether it can neither sign in nor act.", examples: [false] }),
    isOperator: z
      .boolean()
      .meta({ description: "Whether it is an operator's account.", examples: [false] }),
    workspaceCount: count("The number of workspaces, not deleted, with it as active member.", 3),
    lastSeenAt: moment(
      "The last use of a session or an API key, in UTC; of a session its last renewal. Null if " +
        "there was none lately, or only tokens of an issuer.",
      "2026-02-02T08:15:00.000Z",
    ),
    createdAt: CreatedAt,
  })
  .meta({ id: "OperatorUser", description: "An account, as operators see it." });

/** An account with its workspaces. */
export const OperatorUserDetail = OperatorUser.extend({
  workspaces: z
    .array(
      z
        .object({
          publicId: idOf("workspace"),
          name: WorkspaceName,
          role: z
            .string()
            .meta({ description: "The name of the account's role.", examples: ["admin"] }),
        })
        .meta({ id: "OperatorUserWorkspace", description: "A workspace of an account." }),
    )
    .meta({ description: "The workspaces that it is an active member of: the newest 100." }),
}).meta({ id: "OperatorUserDetail", description: "An account with its workspaces." });

/** A link that sets a new password. */
export const PasswordResetLink = z
  .object({
    token: z
      .string()
      .nullable()
      .meta({ description: "The token. Null if it was mailed.", examples: ["the-reset-token"] }),
    url: z
      .url()
      .nullable()
      .meta({
        description:
          "Your page for a new password, with the token. Null if it was mailed, or unset.",
        examples: ["https://boards.example.com/reset-password?token=the-reset-token"],
      }),
    expiresAt: Timestamp.meta({
      description: "When it expires, in UTC.",
      examples: ["2026-01-31T11:00:00.000Z"],
    }),
  })
  .meta({ id: "PasswordResetLink", description: "A token that sets a new password once." });

/** A workspace with its size, as operators see it. */
export const OperatorWorkspace = z
  .object({
    publicId: idOf("workspace"),
    name: WorkspaceName,
    slug: WorkspaceSlug,
    cardCount: count("The number of cards that it ever had, imported ones included.", 1_204),
    eventCount: count("The number of events that it ever had, without imported history.", 9_120),
    fileBytes: Bytes.meta({
      description: "The bytes of its files, including the trash.",
      examples: [48213775],
    }),
    memberCount: count("The number of active members.", 12),
    adminCount: count("The number of active admins. Without one, nobody can manage it.", 2),
    attachmentsQuota: z
      .int()
      .nullable()
      .meta({
        description: "Its own quota of files, in MiB. Null for that of the service.",
        examples: [null],
      }),
    lastActivityAt: moment(
      "When its newest event happened, in UTC. Null without a stored event.",
      "2026-02-02T08:15:00.000Z",
    ),
    createdAt: CreatedAt,
    deletedAt: DeletedAt,
  })
  .meta({ id: "OperatorWorkspace", description: "A workspace with its size." });

/** The state of a job. */
export const OperatorJobStatus = z.enum(["queued", "running", "failed"]).meta({
  id: "OperatorJobStatus",
  description: "Whether a job waits, runs, or has failed for good.",
});

/** A job of the service, without what it is about. */
export const OperatorJob = z
  .object({
    jobId: z.string().meta({ description: "The id of the job.", examples: ["the-job-id"] }),
    kind: z
      .string()
      .meta({ description: "What it does, such as `mail` or `import`.", examples: ["mail"] }),
    status: OperatorJobStatus.meta({ examples: ["failed"] }),
    workspacePublicId: idOf("workspace", "The workspace that it works for. Null for none.")
      .nullable()
      .meta({ examples: [null] }),
    attemptCount: count("The number of attempts so far.", 15),
    runAt: Timestamp.meta({
      description: "When it runs; of a running job the end of its lease. In UTC.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
    error: z
      .string()
      .nullable()
      .meta({
        description: "Why the last attempt failed. Null if none failed.",
        examples: ["connect ECONNREFUSED"],
      }),
    createdAt: CreatedAt,
    finishedAt: moment("When it failed for good, in UTC. Null until then.", null),
  })
  .meta({ id: "OperatorJob", description: "A job of the service." });

/** A webhook of any workspace. Its path is left out: it may have a secret. */
export const OperatorWebhook = z
  .object({
    publicId: idOf("webhook"),
    name: WebhookName,
    origin: z.string().meta({
      description: "Where it sends to, without the path, which may have a secret.",
      examples: ["https://hooks.example.com"],
    }),
    workspacePublicId: idOf("workspace"),
    workspaceName: WorkspaceName,
    isActive: z.boolean().meta({ description: "Whether it receives events.", examples: [true] }),
    failingSince: moment(
      "Since when every attempt has failed, in UTC. Null if the last one succeeded.",
      "2026-02-01T08:15:00.000Z",
    ),
    lastSuccessAt: moment("When an attempt last succeeded, in UTC. Null for never.", null),
    lastFailureAt: moment(
      "When an attempt last failed, in UTC. Null for never.",
      "2026-02-02T08:15:00.000Z",
    ),
    createdAt: CreatedAt,
  })
  .meta({ id: "OperatorWebhook", description: "A webhook of any workspace." });

/** An import into any workspace. */
export const OperatorImport = Import.extend({ workspaceName: WorkspaceName }).meta({
  id: "OperatorImport",
  description: "An import into any workspace.",
});

/** A write of an operator. */
export const OperatorAction = z
  .object({
    operation: z
      .string()
      .meta({ description: "The operation.", examples: ["operator.deleteWorkspace"] }),
    input: z.record(z.string(), z.unknown()).meta({
      description: "What it was called with: its target, and what it changed.",
      examples: [{ workspacePublicId: "k3v9x1q7w2m8" }],
    }),
    operator: z
      .object({ publicId: idOf("user"), email: accountEmail })
      .meta({ id: "OperatorAccount", description: "The account of an operator." })
      .nullable()
      .meta({
        description: "The operator's account. Null for the `ADMIN_KEY`.",
        examples: [{ publicId: "u5s9r3a1d7l8", email: "ada@example.com" }],
      }),
    ip: ClientAddress,
    requestId: z
      .string()
      .nullable()
      .meta({ description: "The id of the request, as in the log.", examples: ["q8w2e5r7t1y4"] }),
    createdAt: CreatedAt,
  })
  .meta({ id: "OperatorAction", description: "A write of an operator, from the operator's log." });
