import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failureCodesPage } from "../../src/api/docs/failure-codes-page.ts";
import { allErrorCodes } from "../../src/contract/error-codes.ts";
import { retryAfterSeconds } from "../../src/contract/retry-after.ts";
import { failureCatalog, failureDescriptions } from "../../src/contract/failure-codes.ts";
import { theDocument } from "../support/responses.ts";

const cells = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe("the catalogue of failure codes", () => {
  test("is the page in the docs, which npm run document renews", () => {
    const page = readFileSync("docs/failure-codes.md", "utf8");
    expect(cells(page)).toEqual(cells(failureCodesPage()));
    expect(cells(page).map(([code]) => code)).toEqual(
      Object.keys(failureDescriptions).map((code) => `\`${code}\``),
    );
  });

  test("lists the known values of the document, with a sentence on each code", () => {
    const schema = theDocument().components.schemas["FailureCode"];
    expect(schema).toMatchObject({ "x-known-values": Object.keys(failureDescriptions) });
    for (const [code, sentence] of Object.entries(failureDescriptions)) {
      expect(schema).toMatchObject({
        description: expect.stringContaining(`- \`${code}\`: ${sentence}`),
      });
      expect(sentence).toMatch(/^[A-Z`].*\.$/);
    }
  });

  test("has each code once, and codes of every error", () => {
    const codes = allErrorCodes.flatMap((error) => Object.keys(failureCatalog[error]));
    expect(new Set(codes).size).toBe(codes.length);
    for (const error of allErrorCodes) expect(failureCatalog[error]).not.toEqual({});
  });

  test("names the wait for every 429 and 503", () => {
    for (const error of ["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"] as const) {
      for (const code of Object.keys(failureCatalog[error])) {
        expect(Object.keys(retryAfterSeconds)).toContain(code);
      }
    }
  });
});
