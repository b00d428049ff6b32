import { expect } from "vitest";
import { expectFailure } from "../../contract/failure.ts";
import type { App, Reply } from "../../support/app.ts";

type Options = { body?: unknown; headers?: Record<string, string> };

/** A program that was written for Kan: its base address is `/kan`, its key is in a header. */
export const clientOf =
  (app: App, token?: string) =>
  async (method: string, path: string, { body, headers = {} }: Options = {}): Promise<Reply> => {
    const response = await app.fetch(
      new Request(`http://service/kan/api/v1${path}`, {
        method,
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { "X-API-Key": token }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
  };

/** A program, as a function of method, path and body. */
export type KanClient = ReturnType<typeof clientOf>;

type Expected = Parameters<typeof expectFailure>;

/** Expects a refusal of ours, with the data that Kan's have. */
export function expectKanFailure(reply: Expected[0], code: Expected[1], issues?: Expected[2]) {
  const { data, ...body } = reply.body;
  expect(data).toMatchObject({ code, httpStatus: reply.status });
  expectFailure({ ...reply, body }, code, issues);
}
