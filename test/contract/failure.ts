import { expect } from "vitest";
import type { Reply } from "../support/app.ts";

/** The errors of the interface, repeated here to detect changes of the service's table. */
export const failures = {
  BAD_REQUEST: [400, "Invalid input data"],
  UNAUTHORIZED: [401, "Authorization not provided"],
  FORBIDDEN: [403, "Insufficient access"],
  NOT_FOUND: [404, "Not found"],
  METHOD_NOT_SUPPORTED: [405, "Method not allowed"],
  CONFLICT: [409, "Conflict"],
  PRECONDITION_FAILED: [412, "Precondition failed"],
  PAYLOAD_TOO_LARGE: [413, "Payload too large"],
  UNSUPPORTED_MEDIA_TYPE: [415, "Unsupported media type"],
  UNPROCESSABLE_CONTENT: [422, "Unprocessable content"],
  TOO_MANY_REQUESTS: [429, "Too many requests"],
  NOT_IMPLEMENTED: [501, "Not implemented"],
  BAD_GATEWAY: [502, "Bad gateway"],
  SERVICE_UNAVAILABLE: [503, "Service unavailable"],
} as const;

/** An error code of the interface. */
export type Code = keyof typeof failures;

/** An expected issue. Missing fields are not checked. */
export type ExpectedIssue = { message?: unknown; path?: (string | number)[]; code?: unknown };

/** Asserts status, code, message and, when given, the issues of an error. */
export function expectFailure(reply: Reply, code: Code, issues?: ExpectedIssue[]): void {
  const [status, message] = failures[code];
  expect({ status: reply.status, body: reply.body }).toEqual({
    status,
    body: {
      code,
      message,
      issues: issues?.map((issue) => expect.objectContaining(issue)) ?? expect.any(Array),
    },
  });
  expectIssues(reply.body.issues);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(reply.headers.get("x-request-id")).toMatch(/^[\w.:-]+$/);
}

/** Asserts that issues are `{ message, path?, code? }` without internals. */
export function expectIssues(issues: unknown[]): void {
  for (const issue of issues) {
    const { message, path = [], code = "", ...others } = issue as Record<string, unknown>;
    expect(others).toEqual({});
    expect(message).toEqual(expect.stringMatching(/\S/));
    expect(message).not.toMatch(/\bat .+:\d+:\d+|node_modules|SELECT |prisma|\[object/i);
    expect(code).toEqual(expect.any(String));
    expect(path).toEqual(expect.any(Array));
  }
}

/** Asserts a 400 with issues for exactly these fields. */
export function expectFaults(reply: Reply, ...fields: string[]): void {
  expectFailure(reply, "BAD_REQUEST");
  const found = reply.body.issues.map(({ path = [] }: { path?: unknown[] }) => path[0]);
  expect([...new Set(found)].toSorted()).toEqual(fields.toSorted());
}
