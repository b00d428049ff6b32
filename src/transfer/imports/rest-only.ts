import { Failure } from "../../platform/errors.ts";

/** 415 for an upload over tRPC. */
export const restOnly = (path: string): Failure =>
  new Failure("UNSUPPORTED_MEDIA_TYPE", [
    { message: `Upload over REST: POST the file to /api/v1${path}.`, code: "rest_only" },
  ]);
