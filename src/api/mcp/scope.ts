import type { Context } from "../../kernel/request/context.ts";
import { Failure } from "../../platform/errors.ts";

/** Whether the grant of an app may only read, and was asked to write. */
export const isOfScope = (error: unknown, { credential }: Pick<Context, "credential">): boolean =>
  error instanceof Failure &&
  error.issues.some(({ code }) => code === "api_key_read_only") &&
  !(credential instanceof Failure) &&
  credential.kind === "grant";
