import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
  TRPC_ERROR_CODE_NUMBER,
} from "@trpc/server";

/** An item of a subscription. */
export type TrackedData<Data> = {
  /** The cursor after the item, from which a subscription resumes. */
  id: string;
  /** The item. */
  data: Data;
};

/** The error in an `ErrorShape`, as REST answers it. */
export interface ErrorShapeData extends ErrorResponse {
  /** The problems in detail. */
  issues: Issue[];
  /** The status that REST answers. */
  httpStatus: number;
  /** The name of the operation. */
  path: string | undefined;
}

/** The form of errors over tRPC. */
export type ErrorShape = {
  /** The number of the error in JSON-RPC. */
  code: TRPC_ERROR_CODE_NUMBER;
  /** The standard message of the code. */
  message: string;
  /** The error, as REST answers it. */
  data: ErrorShapeData;
};

type InputOf<Operation> = Operation extends { input: infer Input }
  ? object extends Input
    ? void | Input
    : Input
  : void | Record<string, never>;
type Definition<Input, Output> = { input: Input; output: Output; meta: object; errorShape: object };

/** An operation of the document as a procedure of tRPC. */
type ProcedureOf<Operation> = Operation extends { type: infer Type; output: infer Output }
  ? Type extends "query"
    ? TRPCQueryProcedure<Definition<InputOf<Operation>, Output>>
    : Type extends "mutation"
      ? TRPCMutationProcedure<Definition<InputOf<Operation>, Output>>
      : TRPCSubscriptionProcedure<
          Definition<InputOf<Operation>, AsyncIterable<TrackedData<Output>>>
        >
  : never;

/** All operations by name. */
export declare const appRouter: TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  {
    [Resource in keyof Procedures]: {
      [Verb in keyof Procedures[Resource]]: ProcedureOf<Procedures[Resource][Verb]>;
    };
  }
>;

/** The type of the router, for a client of tRPC. */
export type AppRouter = typeof appRouter;
