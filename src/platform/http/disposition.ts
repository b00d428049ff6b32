/** The file name in a `Content-Disposition` header (RFC 6266). `filename*` has priority. */
export function nameIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(header)?.[1];
  const decoded = extended === undefined ? undefined : unescaped(extended);
  if (decoded !== undefined) return decoded;
  const plain = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header);
  if (plain === null) return undefined;
  const [, quoted, token] = plain;
  return inUtf8(quoted?.replace(/\\(["\\])/g, "$1") ?? token ?? "");
}

/** The header that makes a browser save a file under its name (RFC 6266, RFC 8187). */
export function attached(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, which most clients send although headers are Latin-1. */
function inUtf8(text: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
