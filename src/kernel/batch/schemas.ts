import type { AnyProcedure } from "@trpc/server";
import { z } from "zod";
import { isOperation, mayBeBatched, ruleOf } from "../../contract/policy.ts";
import { DroppedCardField } from "../../contract/resources/custom-fields.ts";
import { definitionOf, type Definition } from "../procedures/builder.ts";

/** The operations that may be in a batch, by name. */
export type Batchable = Readonly<Record<string, AnyProcedure>>;

/** An operation of a batch. */
export const BatchedOperation = z.strictObject({
  operation: z.string().meta({
    examples: ["label.update"],
    description: "The name of the operation, such as `card.update`.",
  }),
  input: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({
      examples: [{ labelPublicId: "l4b8e2l6x3a9", name: "Urgent", colourCode: "#d73a4a" }],
      description: "The input of the operation, with its path parameters.",
    }),
  ifVersion: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .meta({ description: "The version that the target must have, as `If-Match`." }),
});

/** The input of a batch, without the types of its operations. */
export const BatchInput = z.strictObject({
  operations: z
    .array(BatchedOperation)
    .max(100)
    .meta({ description: "The operations, at most 100, in the order in which they run." }),
  dryRun: z.boolean().optional().meta({ description: "Runs the batch and then undoes it." }),
});

/** The fields of a batch, with the types of its operations. */
export type TypedFields<Typed> = {
  operations: z.ZodType<Typed[], Typed[]>;
  dryRun: z.ZodOptional<z.ZodBoolean>;
};

/** The output of an operation of a batch. */
export const OperationOutput = z.record(z.string(), z.unknown());

/** The answer of a batch: one result for each operation. */
export const BatchOutput = z
  .object({
    results: z
      .array(
        z
          .object({
            operation: z
              .string()
              .meta({ description: "The name of the operation.", examples: ["label.update"] }),
            version: z
              .int()
              .nullable()
              .meta({
                examples: [3],
                description: "The version of the resource after the operation, as in its `ETag`.",
              }),
            output: OperationOutput.nullable().meta({
              examples: [{ publicId: "l4b8e2l6x3a9", name: "Urgent", colourCode: "#d73a4a" }],
              description: "The response of the operation, as if it were called alone.",
            }),
            droppedFields: z
              .array(DroppedCardField)
              .optional()
              .meta({
                description:
                  "Only in a dry run: the values of custom fields that cards lose by moving to " +
                  "another board, which has no such field or option.",
              }),
          })
          .meta({ id: "BatchResult", description: "The result of one operation of a batch." }),
      )
      .meta({ description: "One result for each operation." }),
    dryRun: z.boolean().meta({ description: "Whether the batch was undone." }),
  })
  .meta({
    id: "BatchResults",
    description: "The results of a batch, in the order of its operations.",
  });

/** The result of an operation of a batch. */
export type Result = z.infer<typeof BatchOutput>["results"][number];

/** The operations of resources that may be in a batch: they can join its transaction. */
export const batchableOf = (
  resources: Readonly<Record<string, Readonly<Record<string, AnyProcedure>>>>,
): Batchable =>
  Object.fromEntries(
    Object.entries(resources).flatMap(([resource, verbs]) =>
      Object.entries(verbs)
        .map(([verb, procedure]) => [`${resource}.${verb}`, procedure] as const)
        .filter(([name, procedure]) => mayJoinBatch(name, definitionOf(procedure))),
    ),
  );

/** Whether a procedure may be in a batch. */
export function mayJoinBatch(name: string, { meta }: Definition): boolean {
  return meta.joins === true && isOperation(name) && mayBeBatched(ruleOf(name));
}
