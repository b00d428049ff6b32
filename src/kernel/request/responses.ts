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
