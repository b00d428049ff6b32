import { expect, test } from "vitest";
import { faultsOf, linksOf } from "./verdict.ts";

const run = {
  complete: true,
  stop_reason: "completed",
  test_cases: { generated: 30_000 },
  operations: { tested: 120, errored: 0 },
  errors: [],
};

test("a complete run without findings passes", () => {
  expect(faultsOf(run, { entries: [] })).toEqual([]);
});

test.each(["interrupted", "failure_limit", "max_time", "server_unavailable", "error"])(
  "a run that stops early has a fault: %s",
  (reason) => {
    for (const complete of [true, false]) {
      const faults = faultsOf({ ...run, complete, stop_reason: reason }, { entries: [] });
      expect(faults).toEqual([`The run is incomplete: ${reason}.`]);
    }
  },
);

test("each error and each finding fails the run", () => {
  const errors = [{ title: "Network Error", count: 2 }];
  const entries = [{ operation: "GET /health", check: "not_a_server_error", signature: "500" }];
  const ofStream = { operation: "GET /users/me/events/stream", signature: "anyOf" };
  const accepted = { ...ofStream, check: "response_schema_conformance" };
  entries.push(accepted, { ...ofStream, check: "not_a_server_error" });
  expect(faultsOf({ ...run, errors }, { entries })).toEqual([
    "error: Network Error (2)",
    "GET /health: not_a_server_error: 500",
    "GET /users/me/events/stream: not_a_server_error: anyOf",
  ]);
});

test("what is documented elsewhere, or is of the tool, is no finding", () => {
  const ofPatch = { operation: "PUT /users/me", check: "allow_header_conformance" };
  const ofKey = { check: "ignored_auth", signature: "" };
  const entries = [
    { ...ofPatch, signature: "|PATCH" },
    { ...ofKey, operation: "GET /operator/users" },
    { operation: "POST /imports/csv", check: "status_code_conformance", signature: "431" },
  ];
  expect(faultsOf(run, { entries })).toEqual([]);
  const others = [
    { ...ofPatch, signature: "|PATCH,DELETE" },
    { ...ofKey, operation: "GET /users/me" },
  ];
  expect(faultsOf(run, { entries: others })).toHaveLength(2);
});

test("a run that followed no link fails", () => {
  const walked = linksOf(
    "     API Links:    13 covered / 111 selected / 242 total (136 inferred)\n",
  );
  expect(walked).toEqual({ walked: 13, all: 111 });
  expect(faultsOf(run, { entries: [] }, walked)).toEqual([]);
  for (const output of ["", "     API Links:    0 covered / 209 selected / 209 total\n"]) {
    const links = linksOf(output);
    const faults = faultsOf(run, { entries: [] }, links);
    expect(faults).toEqual([`0 of ${links.all} links were walked.`]);
  }
});
