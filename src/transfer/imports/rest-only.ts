import { type Failure, failure } from "../../platform/errors.ts";

/** 415 for an upload over tRPC. */
export const restOnly = (path: string): Failure =>
  failure("rest_only", `Upload over REST: POST the file to /api/v1${path}.`);
