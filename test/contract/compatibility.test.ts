import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { breaksBetween } from "./breaks.ts";

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));
const released = await read("released-openapi.json");
const current = await read("openapi.json");

/** Breaks that no client notices, by reason. Empty it with each release. */
const accepted: Record<string, RegExp> = {
  "a client that sends Prefer gets the usual answer, which the preference never guaranteed":
    /header Prefer is gone$|header Preference-Applied is gone$/,
  "webhooks can receive more types of events": /WebhookInput\.events\[\]: another pattern$/,
  "more addresses are accepted": /\.email: another pattern$/,
  "within a board, lists move as before; only a move to a hidden board leaves out one side":
    /ListMovedEvent\.data: (?:from|to) is not always sent$/,
  "every name of a time zone is accepted": /\.timeZone: another pattern$/,
};

const breaks = breaksBetween(released, current);

test("a client of the last release works with this document", () => {
  const reasons = Object.values(accepted);
  expect(breaks.filter((one) => !reasons.some((reason) => reason.test(one)))).toEqual([]);
});

test.each(Object.entries(accepted))("it is accepted that %s", (_, pattern) => {
  expect(breaks.filter((one) => pattern.test(one))).not.toEqual([]);
});

const changed = (change: (document: any) => void) => {
  const copy = structuredClone(released);
  change(copy);
  return breaksBetween(released, copy);
};

test.each<[string, (document: any) => void]>([
  ["an operation is gone", ({ paths }) => delete paths["/lists"].post],
  [
    "a field of an answer is gone",
    ({ components: { schemas } }) => delete schemas.ListRef.properties.name,
  ],
  [
    "a field of an answer is optional",
    ({ components: { schemas } }) => schemas.ListRef.required.pop(),
  ],
  [
    "a field of a body is gone",
    ({ components: { schemas } }) => delete schemas.CreateListInput.properties.index,
  ],
  [
    "a field of a body is required",
    ({ components: { schemas } }) => schemas.CreateListInput.required.push("index"),
  ],
  ["a value of an input is gone", ({ components: { schemas } }) => schemas.Permission.enum.pop()],
  [
    "a field has another type",
    ({ components: { schemas } }) => (schemas.ListRef.properties.name.type = "integer"),
  ],
  [
    "a field can be null",
    ({ components: { schemas } }) => (schemas.ListRef.properties.name.type = ["string", "null"]),
  ],
  ["a parameter is gone", ({ paths }) => paths["/workspaces"].get.parameters.shift()],
  [
    "a header is gone",
    ({ paths }) => {
      const { post } = paths["/lists"];
      post.parameters = post.parameters.filter((one: any) => !/Idempotency/.test(one.$ref));
    },
  ],
  [
    "a header of an answer is gone",
    ({ paths }) => delete paths["/lists"].post.responses["200"].headers.ETag,
  ],
  [
    "a header is required",
    ({ components }) => (components.parameters.IdempotencyKey.required = true),
  ],
  ["a status is gone", ({ paths }) => delete paths["/lists"].post.responses["403"]],
  [
    "a content type is gone",
    ({ paths }) => delete paths["/lists"].post.requestBody.content["application/json"],
  ],
  [
    "a bound is narrower",
    ({ components: { schemas } }) => (schemas.CreateListInput.properties.name.maxLength = 5),
  ],
  [
    "a bound is new",
    ({ components: { schemas } }) => (schemas.CreateListInput.properties.name.minLength = 5),
  ],
  [
    "a text must match a pattern",
    ({ components: { schemas } }) => (schemas.CreateListInput.properties.name.pattern = "^a"),
  ],
  [
    "a field of a webhook's body is gone",
    ({ components: { schemas } }) => delete schemas.ListCreatedEvent.properties.data,
  ],
  ["a webhook is gone", ({ webhooks }) => delete webhooks["list.created"]],
])("it is a break when %s", (_, change) => {
  expect(changed(change)).not.toEqual([]);
});

test("new fields of answers and new optional fields of bodies are no break", () => {
  const added = changed(({ components: { schemas } }) => {
    schemas.ListRef.properties.colour = { type: "string" };
    schemas.CreateListInput.properties.colour = { type: "string" };
  });
  expect(added).toEqual([]);
});

test("wider bounds, and new values that a request accepts, are no break", () => {
  const wider = changed(({ components: { schemas } }) => {
    schemas.CreateListInput.properties.name.maxLength = 100_000;
    schemas.Permission.enum.push("list:dream");
  });
  expect(wider).toEqual([]);
});
