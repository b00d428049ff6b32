import type { AnyProcedure, inferProcedureInput } from "@trpc/server";
import type { Operation, RuleOf } from "../../contract/policy.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import { deleteWorkspace } from "../../domain/workspaces/delete.ts";
import { restoreWorkspace } from "../../domain/workspaces/restore.ts";
import { updateWorkspace } from "../../domain/workspaces/update.ts";
import { batchMutation } from "../../kernel/batch/batch.ts";
import { batchableOf, BatchOutput } from "../../kernel/batch/schemas.ts";
import { rest } from "../../kernel/request/rest.ts";
import { resources } from "./resources.ts";

const operations = {
  workspace: { update: updateWorkspace, delete: deleteWorkspace, restore: restoreWorkspace },
  ...resources,
};

type Resources = typeof operations;

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
export const batchable = batchableOf(operations);

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
