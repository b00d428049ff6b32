import type { Credential } from "./access/credential.ts";
import type { Deps } from "./deps.ts";
import type { Failure } from "../platform/errors.ts";
import type { EventStream } from "./events/hub.ts";
import type { RequestMetadata } from "./events/persist.ts";
import type { RequestBody } from "../platform/http/body.ts";
import type { ServedFile, ServedStream } from "./responses.ts";

/** What a procedure is called with, over REST and over tRPC alike. */
export type Context = {
  deps: Deps;
  /** The credential, or the 401 that a procedure which needs one answers. */
  credential: Credential | Failure;
  requestMetadata: RequestMetadata;
  userAgent: string | undefined;
  ifMatch: string | undefined;
  idempotencyKey: string | undefined;
  /** What claims to be the operator's key. */
  adminKey: string | undefined;
  /** The bytes that came along; only where the operation takes them, and only over REST. */
  requestBody?: RequestBody | undefined;
  /** What the answer's headers are to say. */
  responseMeta: ResponseMeta;
  /** Whether the credential has turned out to be good. */
  proof: { good: boolean };
};

/** `version` of the thing that was read or written; `replayed` when the answer is a stored one; `redirect` and `page` are for people who come with a browser; `file` and `stream` are what REST answers instead of the output; `follower` is a stream of events that was opened. */
export type ResponseMeta = {
  version?: number | undefined;
  replayed?: boolean;
  redirect?: string;
  page?: string;
  file?: ServedFile;
  stream?: ServedStream;
  eventStream?: EventStream;
};
