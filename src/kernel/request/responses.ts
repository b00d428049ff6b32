/** A file as REST answers it. `contentType` is one that no browser runs; `tag` stands for the bytes. */
export type ServedFile = {
  key: string;
  filename: string;
  contentType: string;
  size: number;
  tag: string;
};

/** A download whose bytes are produced while it is sent. `open` runs before the headers go out, so that what it throws becomes an ordinary error answer; its signal is aborted when nobody wants the bytes: the client has gone, or asked for the headers alone. */
export type ServedStream = {
  filename: string;
  contentType: string;
  open: (gone: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
};
