import type { AnyProcedure, inferProcedureInput } from "@trpc/server";
import type { Operation, RuleOf } from "../../contract/policy.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { deleteWorkspace } from "../../domain/workspaces/delete.ts";
import { restoreWorkspace } from "../../domain/workspaces/restore.ts";
import { updateWorkspace } from "../../domain/workspaces/update.ts";
import { batchMutation } from "../../kernel/batch/batch.ts";
import { batchableOf, BatchOutput } from "../../kernel/batch/schemas.ts";
import { rest } from "../../kernel/request/rest.ts";
import { attachments } from "./attachments.ts";
import { boards } from "./boards.ts";
import { cards } from "./cards.ts";
import { checklists } from "./checklists.ts";
import { comments } from "./comments.ts";
import { fields } from "./fields.ts";
import { invites } from "./invites.ts";
import { labels } from "./labels.ts";
import { lists } from "./lists.ts";
import { members } from "./members.ts";
import { permissionsOfMembers } from "./permissions.ts";
import { roles } from "./roles.ts";
import { views } from "./views.ts";
import { webhooks } from "./webhooks.ts";

const resources = {
  workspace: { update: updateWorkspace, delete: deleteWorkspace, restore: restoreWorkspace },
  member: members._def.record,
  invite: invites._def.record,
  permission: permissionsOfMembers._def.record,
  role: roles._def.record,
  board: boards._def.record,
  list: lists._def.record,
  card: cards._def.record,
  label: labels._def.record,
  field: fields._def.record,
  view: views._def.record,
  checklist: checklists._def.record,
  comment: comments._def.record,
  attachment: attachments._def.record,
  webhook: webhooks._def.record,
};

type Resources = typeof resources;

type BatchableName<Name> = Name extends Operation
  ? RuleOf<Name> extends { alone: true }
    ? never
    : RuleOf<Name> extends { on: ResourceKind }
      ? Name
      : never
  : never;

// Not exported, so that the declared type of the router contains them.
type ValueOf<Record> = Record[keyof Record];
type BatchOperation = ValueOf<{
  [Resource in keyof Resources]: ValueOf<{
    [
      Verb in keyof Resources[Resource] & string as BatchableName<`${Resource}.${Verb}`>
    ]: Resources[Resource][Verb] extends { _def: { type: "mutation" } } & AnyProcedure
      ? {
          operation: `${Resource}.${Verb}`;
          input: Exclude<inferProcedureInput<Resources[Resource][Verb]>, void>;
          ifVersion?: number;
        }
      : never;
  }>;
}>;

/** The operations that may be in a batch. */
export const batchable = batchableOf(resources);

/** Runs operations of a workspace in one transaction. */
export const batchOperations = batchMutation<BatchOperation>(batchable)
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/batch",
      "Run operations in one transaction",
      "Runs up to 100 writes of a workspace in order, all or nothing. Later operations can use " +
        "resources that earlier ones created with a `publicId` made by the client. Each " +
        "operation is validated and authorized in its turn, as if called alone, and counts " +
        "towards the rate limit. The first failure undoes everything: the response is that " +
        "operation's error, with its index as `failedAt`. With `dryRun` the batch runs and is " +
        "then undone.",
      { errors: ["NOT_FOUND"], batch: true },
    ),
  )
  .output(BatchOutput)
  .mutation(({ ctx: { results }, input }) => ({ results, dryRun: input.dryRun === true }));
