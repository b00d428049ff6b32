import { expect, expectTypeOf, test } from "vitest";
import type { FollowedEvent } from "../../../src/client/index.ts";
import {
  readerData,
  redactableFields,
  type BoardEvent,
} from "../../../src/contract/event-envelope.ts";
import { catalog, eventTypes } from "../../../src/contract/events.ts";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { hiddenFields, requiredFor } from "../../../src/kernel/events/redact.ts";
import { theDocument } from "../../support/responses.ts";
import type { components } from "../../e2e/document.ts";

type OfType<Event, Type> = Extract<Event, { type: Type }>;

test.each(eventTypes)("%s: exactly the fields that a reader may lack are optional", (type) => {
  const least = new Set(requiredFor(type));
  const absent = hiddenFields(type, least).filter((field) => !field.includes("/"));
  // Where something was or is, if the reader cannot see that board.
  const sides = ["list.moved", "checklist.moved"].includes(type) ? ["from", "to"] : [];
  expect(redactableFields(type).toSorted()).toEqual([...absent, ...sides].toSorted());
  expect(hiddenFields(type, new Set(permissions))).toEqual([]);
  for (const field of type === "card.moved" ? [] : absent) {
    expect(readerData(type)).toHaveProperty(["shape", field, "_zod", "optin"], "optional");
  }
});

test("what appears in an order or moves in it has an index in its event", () => {
  const appears = /^(?:list|card|checklist|checklist_item)\.(?:created|moved|restored|unarchived)$/;
  const types = eventTypes.filter((type) => appears.test(type));
  expect(types.length).toBeGreaterThan(9);
  expect(types.filter((type) => !("to" in catalog[type].data.shape))).toEqual([]);
});

test("in the document an event is a union that its type discriminates, for feed, stream and webhooks", () => {
  const { components: shared, webhooks } = theDocument() as any;
  const { oneOf, discriminator } = shared.schemas.BoardEvent;
  expect(Object.keys(discriminator.mapping)).toEqual(eventTypes);
  expect(oneOf.map(({ $ref }: any) => $ref)).toEqual(Object.values(discriminator.mapping));
  for (const [type, ref] of Object.entries<string>(discriminator.mapping)) {
    const schema = shared.schemas[ref.split("/").at(-1) ?? ""];
    expect(schema.properties.type.const).toBe(type);
    const body = webhooks[type]?.post.requestBody.content["application/json"].schema;
    if (body !== undefined) expect(body).toEqual({ $ref: `${ref}Body` });
  }
  expect(JSON.stringify(shared.schemas.BoardEventPage)).toContain("schemas/BoardEvent");
  // Flat: some generators inherit from a union inside a union.
  expect(shared.schemas.StreamItem.oneOf).toEqual(expect.arrayContaining(oneOf));
  const user = shared.schemas.UserStreamItem;
  expect(Object.keys(user.discriminator.mapping)).toEqual(expect.arrayContaining([...eventTypes]));
  expect(user.discriminator.mapping["access.lost"]).toMatch(/UserAccessLostEvent$/);
  expect(user.oneOf).toHaveLength(Object.keys(user.discriminator.mapping).length);
});

test("the type of an event decides the type of its data, for each kind of client", () => {
  type Document = components["schemas"]["BoardEvent"];
  type Index = { index: number };
  expectTypeOf<OfType<FollowedEvent, "card.created">["data"]["to"]["index"]>().toEqualTypeOf<
    number | null
  >();
  expectTypeOf<OfType<Document, "card.created">["data"]["card"]["title"]>().toEqualTypeOf<string>();
  expectTypeOf<OfType<BoardEvent, "list.moved">["data"]["to"]>().toExtend<Index | undefined>();
  expectTypeOf<OfType<Document, "list.moved">["data"]["to"]>().toExtend<Index | undefined>();
  expectTypeOf<undefined>().toExtend<OfType<BoardEvent, "card.updated">["data"]["board"]>();
  expectTypeOf<OfType<BoardEvent, "access.lost">["data"]>().not.toHaveProperty("memberPublicIds");
  const read = (event: BoardEvent) =>
    event.type === "card.moved" ? event.data.to?.index : undefined;
  expectTypeOf(read).returns.toEqualTypeOf<number | undefined>();
});
