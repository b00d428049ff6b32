import { failure } from "../errors.ts";

const json = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** 415 for a body that is not JSON in UTF-8, by its headers. */
export function checkJsonHeaders(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (!json.test(type)) {
    throw failure(
      "not_json",
      "The request body must be JSON, with Content-Type: application/json.",
    );
  }
  checkPlain(headers, "not_json");
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(type) ?? [];
  if (/^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  throw failure("not_json", `The charset of the body must be UTF-8, not ${charset}.`);
}

/** 415 for a file that would be stored with more than its bytes: compressed, or in a form. */
export function checkFileHeaders(headers: Headers): void {
  checkPlain(headers, "file_encoded");
  if (!/^\s*multipart\/form-data\b/i.test(headers.get("content-type") ?? "")) return;
  throw failure("file_encoded", "The request body must be the bytes of the file, not a form.");
}

/** 415 for a compressed body. */
function checkPlain(headers: Headers, code: "file_encoded" | "not_json"): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (/^(?:identity|[\s,])*$/i.test(encoding)) return;
  const message = `The body must not be compressed (Content-Encoding: ${encoding}).`;
  throw failure(code, message);
}
