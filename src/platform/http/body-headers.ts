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

/** 415 for a body that is no form of OAuth, by its headers. */
export function checkFormHeaders(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    const message = "The body must be a form: Content-Type: application/x-www-form-urlencoded.";
    throw failure("not_json", message);
  }
  checkPlain(headers, "not_json");
}

/** 415 for a compressed file. */
export const checkFileHeaders = (headers: Headers): void => checkPlain(headers, "file_encoded");

/** 415 for a file that is sent as JSON and not named so: clients send `{}` instead of a file. */
export function checkFileType(contentType: string | undefined, filename: string | undefined): void {
  if (!json.test(contentType ?? "") || /\.\w*json$/i.test(filename ?? "")) return;
  throw failure(
    "file_is_json",
    "The body is JSON, not a file. Send the bytes of the file with its own Content-Type, or a " +
      "multipart/form-data form; a JSON file needs a filename that ends in .json.",
  );
}

/** Whether a body is JSON by its headers and its query, and not a file whose bytes are JSON. */
export const isJsonWithoutFile = (headers: Headers, query: URLSearchParams): boolean =>
  json.test(headers.get("content-type") ?? "") &&
  !headers.has("content-disposition") &&
  !query.has("filename");

/** 415 for a compressed body. */
function checkPlain(headers: Headers, code: "file_encoded" | "not_json"): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (/^(?:identity|[\s,])*$/i.test(encoding)) return;
  const message = `The body must not be compressed (Content-Encoding: ${encoding}).`;
  throw failure(code, message);
}
