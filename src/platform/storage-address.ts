import { fileURLToPath } from "node:url";

/** The file storage that `STORAGE_URL` names. */
export type StorageAddress =
  | { kind: "disk"; root: string }
  | {
      kind: "s3";
      /** `https://host:port/bucket`, without a slash at the end. */
      url: string;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

const form =
  "must be file:/path, or s3://key:secret@host/bucket with key and secret percent-encoded";

/**
 * Parses `file:/path` or `s3://key:secret@host[:port]/bucket?region=…&tls=…`.
 *
 * Throws with a message for the operator.
 */
export function readStorageAddress(text: string): StorageAddress {
  if (!URL.canParse(text)) throw new Error(form);
  const url = new URL(text);
  if (url.protocol === "file:" && url.host === "")
    return { kind: "disk", root: fileURLToPath(url) };
  const [, bucket] = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/.exec(url.pathname) ?? [];
  const accessKeyId = decoded(url.username);
  const secretAccessKey = decoded(url.password);
  if (url.protocol !== "s3:" || !url.host || !bucket || !accessKeyId || !secretAccessKey) {
    throw new Error(form);
  }
  const { region = "us-east-1", tls = "true", ...unknown } = Object.fromEntries(url.searchParams);
  const [strange] = Object.keys(unknown);
  if (tls !== "true" && tls !== "false") throw new Error("must say tls=true or tls=false");
  if (strange !== undefined) throw new Error(`has no parameter ${strange}, only region and tls`);
  const scheme = tls === "true" ? "https" : "http";
  return {
    kind: "s3",
    url: `${scheme}://${url.host}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
