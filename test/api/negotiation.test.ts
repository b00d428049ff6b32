import { describe, expect, test } from "vitest";
import { acceptsJson } from "../../src/api/rest/accepts-json.ts";
import { preferredEncoding } from "../../src/api/rest/accepted-encodings.ts";

describe("the Accept header", () => {
  test.each([
    undefined,
    "",
    ", ,",
    "*/*",
    "application/json",
    "APPLICATION/JSON",
    "application/*",
    "application/json;version=1",
    "application/problem+json",
    "text/html, */*;q=0.8",
    'text/html;title="a, b", application/json',
    "*/*;q=0, application/json;q=0.1",
    "application/json, application/json;q=0",
  ])("%s admits JSON", (header) => expect(acceptsJson(header)).toBe(true));

  test.each([
    "image/png",
    "text/*",
    "*/*;q=0",
    "application/json;q=0",
    "application/json ; Q=0.000",
    "application/json; charset=utf-8; q=0",
    "application/json;q=0, */*",
    "*/*, application/*;q=0",
    'text/html;title="*/*"',
    "garbage",
  ])("%s excludes JSON", (header) => expect(acceptsJson(header)).toBe(false));
});

describe("the Accept-Encoding header", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate, zstd", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, br", "br"],
    ["*", "br"],
    ["br;q=0.1, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0.000", undefined],
    ["gzip ; Q=0", undefined],
    ["*;q=0", undefined],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["gzip;q=none", undefined],
  ])("%s prefers %s", (header, encoding) =>
    expect(preferredEncoding(header, ["br", "gzip"])).toBe(encoding),
  );
});
