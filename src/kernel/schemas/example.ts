import type { Operation } from "../../contract/policy.ts";
import { schemaName, type Schema } from "./schema.ts";
import { exampleIds, exampleValues, type Json } from "./values.ts";

/** Optional fields without examples: they exclude others, or no value fits every operation. */
const leftOut = new Set([
  "beforeCardPublicId",
  "beforeListPublicId",
  "afterListPublicId",
  "rolePublicId",
  "publicId",
  "afterCardPublicId",
  "sourceBoardPublicId",
  "memberPublicIds",
  "addLabelPublicIds",
  "removeLabelPublicIds",
  "addMemberPublicIds",
  "removeMemberPublicIds",
  "position",
  "filter",
  "secret",
  "returnUrl",
  "cursor",
  "ifVersion",
  "failedAt",
  "lastEventId",
  "workspaces",
  "types",
  "query",
  "error",
  "changes",
  "shortened",
]);

/** Whether an example shows a field. */
export const isShown = (field: string, required: boolean, schema: Schema = {}) =>
  required || !(leftOut.has(field) || schema["deprecated"] === true);

const subjects: { readonly [Name in Operation]?: string } = {
  "auth.register": "user",
  "auth.login": "user",
  "auth.createApiKey": "apiKey",
  "invite.accept": "member",
  "board.get": "filter",
  "board.cards": "filter",
  "board.exportCsv": "filter",
  "card.bulkUpdate": "card",
  "checklist.items": "checklistItem",
  "checklist.addItem": "checklistItem",
  "checklist.updateItem": "checklistItem",
  "workspace.search": "searchHit",
  "workspace.trash": "trashed",
  "workspace.audit": "audit",
  "workspace.events": "event",
  "workspace.stream": "event",
  "user.stream": "notification",
  "auth.streamTicket": "streamTicket",
};

/** The kind of resource of an operation's own fields. */
export const ownKindOf = (name: Operation) => subjects[name] ?? name.split(".", 1).join("");

/** Makes the example of a schema of a kind of resource, or of a field; always the same one. */
export type Exemplify = (schema: Schema, kind: string, field?: string) => Json;

/** Makes examples of schemas that may refer to shared ones. */
export function exemplifier(schemas: Readonly<Record<string, Schema>>): Exemplify {
  const make: Exemplify = (schema, kind, field = "") => {
    const { $ref, properties, required = [], items } = schema;
    if ($ref !== undefined) {
      const name = schemaName($ref);
      const target = schemas[name] ?? {};
      const otherwise = Object.hasOwn(exampleIds, field) ? field : kind;
      return make(target, kindOf(name, otherwise), isObject(target) ? "" : field);
    }
    if (properties !== undefined) {
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name, one]) => isShown(name, required.includes(name), one))
          .map(([name, one]) => [name, make(one, field || kind, name)]),
      );
    }
    if (items === undefined) {
      const known = valueOf(schema, kind, field);
      if (known !== undefined) return known;
      const [first] = schema.anyOf ?? schema.oneOf ?? [];
      if (first?.$ref !== undefined || first?.properties !== undefined) {
        return make(first, kind, field);
      }
      throw new Error(`openapi/values.ts has no example for ${kind}.${field}.`);
    }
    const isList =
      isObject(items) || (items.$ref !== undefined && isObject(schemas[schemaName(items.$ref)]));
    return [make(items, kind, isList ? field.replace(/s$/, "") : field)].flat();
  };
  return make;
}

const isObject = (schema: Schema | undefined) => schema?.properties !== undefined;

/** The kind of resource of a shared schema: `NewBoard` and `BoardInfo` are boards. */
function kindOf(name: string, otherwise: string) {
  const bare = name.replace(
    /^(?:New|Public)|(?:Info|Ref|Summary|Entry|Detail|Page|With[A-Z]\w+)$/g,
    "",
  );
  const kind = bare.replace(/^./, (letter) => letter.toLowerCase());
  return Object.hasOwn(exampleIds, kind) ? kind : otherwise;
}

function valueOf(schema: Schema, kind: string, field: string): Json | undefined {
  const id = /^(.*)PublicIds?$/.exec(field)?.[1];
  return [
    schema.const,
    schema.examples?.[0],
    exampleIds[field === "publicId" ? kind : (id ?? "")],
    exampleValues[`${kind}.${field}`],
    exampleValues[field],
    schema.enum?.[0],
    schema.default,
    schema.type === "boolean" ? false : undefined,
  ].find((value) => value !== undefined);
}
