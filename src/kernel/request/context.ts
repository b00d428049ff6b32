import type { Credential } from "../access/credential.ts";
import type { ServedResponse } from "../response-cache/cached-response.ts";
import type { Deps } from "./deps.ts";
import type { Failure } from "../../platform/errors.ts";
import type { HttpBatch } from "./http-batch.ts";
import type { EventStream } from "../events/hub.ts";
import type { RequestMetadata } from "../events/recorded-sql.ts";
import type { BatchTransaction } from "../events/transaction.ts";
import type { RequestBody } from "../../platform/http/byte-body.ts";

/** A file that REST serves. No browser executes `contentType`; `tag` is the ETag. */
export type ServedFile = {
  key: string;
  filename: string;
  contentType: string;
  size: number;
  tag: string;
  /** Whose budget its bytes count for, when that is not the caller. */
  countedFor?: string;
};

/**
 * A download whose bytes are produced while it is sent.
 *
 * `open` runs before the headers are sent: its error becomes an ordinary error response. The
 * signal is aborted when the client disconnects or asks for the headers alone.
 */
export type ServedStream = {
  filename: string;
  contentType: string;
  /** The ETag, without quotes, where the stream has one. */
  tag?: string;
  open: (gone: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
};

/** The target of a call and its parents, by their kinds. */
export type TargetRows = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Who a request's line in the log names, by public ids, as far as the calls have found it. */
export type LoggedCaller = { user?: string; workspace?: string };

/** The context of a call, over REST and over tRPC. */
export type Context = {
  deps: Deps;
  /** The credential, or the 401 that an operation that needs one answers. */
  credential: Credential | Failure;
  requestMetadata: RequestMetadata;
  logged: LoggedCaller;
  userAgent: string | undefined;
  ifMatch: string | undefined;
  /** Compares the fields of the target with what the caller expects of them; throws 412. */
  checkTarget?: ((resources: TargetRows) => void) | undefined;
  idempotencyKey: string | undefined;
  /** The HTTP batch of several calls of tRPC that the call is in. */
  httpBatch?: HttpBatch | undefined;
  /** The value of `X-Admin-Key`. */
  adminKey: string | undefined;
  /** The size of a JSON body that was read, and is not counted yet. */
  uncounted: { bytes: number };
  /** The value of `Cookie`. Cookies authenticate no one. */
  cookies: string | undefined;
  /** The bytes of the body: over REST, and only where the operation takes them. */
  requestBody?: RequestBody | undefined;
  responseMeta: ResponseMeta;
  /** Who shares the memory for bodies: the user, or the network of an unverified credential. */
  client: string;
  /** The user of a credential that the database has confirmed. */
  userId?: bigint | undefined;
  /** Counts the bytes of the answer for the limit of the caller. */
  chargeBytes?: ((bytes: number) => Promise<unknown>) | undefined;
  /** Counts the events of a write, or the rows that it has written, for the limit of the caller. */
  chargeEvents?: ((events: number) => Promise<unknown>) | undefined;
  /** Counts more calls for the limit of the caller; 429 past it. */
  countMore?: ((count: number) => Promise<unknown>) | undefined;
  /** Counts more calls of work that has begun: later calls may be refused. */
  chargeCalls?: ((count: number) => Promise<unknown>) | undefined;
  /** Throws 429 past the limit of the caller; undefined within a call that has begun. */
  checkLimit?: (() => Promise<unknown>) | undefined;
  /** Counts a call against its caller, once authenticated, and not against the client address. */
  prove?: ((count: () => Promise<unknown>) => Promise<void>) | undefined;
  /** Whether a cached answer can be sent as its bytes of JSON. */
  sendsBytes?: boolean | undefined;
  authentication: Authentication;
  /** The transaction of a batch, in which the call runs. */
  joined?: BatchTransaction | undefined;
};

/** The state of the caller's credential. */
export type Authentication = {
  /** Whether the database has confirmed the credential. */
  credentialVerified: boolean;
};

/** The last event of a call: its id, and the cursor after it in its workspace's log. */
export type Published = { lastEvent: string; feedCursor: string };

/** The response headers of a call that published events, or that read one point of a log. */
export function logHeaders({ published, feedCursor }: ResponseMeta): Record<string, string> {
  if (published === undefined) return feedCursor === undefined ? {} : { "Feed-Cursor": feedCursor };
  return { "Last-Event": published.lastEvent, "Feed-Cursor": published.feedCursor };
}

/** What an operation adds to its response in addition to its output. */
export type ResponseMeta = {
  /** Of the resource that was read or written, for the ETag. */
  version?: number | undefined;
  /** The public id of the last event that the call published. */
  lastEvent?: string | undefined;
  /** The last event that the call published, and the cursor after it; known after the commit. */
  published?: Published | undefined;
  /** The point of the workspace's log that the response shows. */
  feedCursor?: string;
  /** The output as bytes of JSON, where it is cached as such. */
  response?: ServedResponse;
  /** Whether the response is a stored one. */
  replayed?: boolean;
  /** Where to send the browser. */
  redirect?: string;
  /** The value of `Set-Cookie`. */
  cookie?: string;
  /** A page for the browser. */
  page?: string;
  /** A file that REST sends instead of the output. */
  file?: ServedFile;
  /** A stream of bytes that REST sends instead of the output. */
  stream?: ServedStream;
  /** A stream of events that was opened. */
  eventStream?: EventStream;
};
