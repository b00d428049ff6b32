import { expect, test } from "vitest";
import { ruleOf, type Rule } from "../../src/contract/policy.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";
import { interfaceTable } from "./interface-table.ts";

type Any = any;
const document: Any = theDocument();
const fixed = "The interface fixes the operation.";

/** Operations that create something and have no links, and why. */
const unlinked: Record<string, string> = {
  "workspace.create": fixed,
  "list.create": fixed,
  "auth.register": "The credential, not a path, says which account and session a request is of.",
  "signIn.link": "The identity is found by the provider's proof; `signIn.identities` lists it.",
  "secondFactor.addTotp": "The id is in `factor`; `secondFactor.list` has it too.",
  "secondFactor.addPasskey": "The id is in `factor`; `secondFactor.list` has it too.",
  "secondFactor.createRecoveryCodes": "Recovery codes have no ids.",
  "oauth.register": "No operation of the API is on an app alone.",
  "auth.login": "The answer has no id of the session.",
  "list.move": "The list exists before it; labels are a side effect.",
  "list.moveCards": "It answers a number; labels are a side effect.",
  "card.addLabel": "The card and the label exist before it.",
  "card.bulkUpdate": "The cards exist before it.",
  "checklist.convertItem": "The answer is the card, and it lists the ids of what is on it.",
  "relation.create": "The cards exist before it; the card lists the ids of its relations.",
  "card.addMember": "The card and the member exist before it.",
  "attachment.confirm": "`attachment.prepare` has the links of the attachment.",
};

/** The parameter that takes the id of what is created, where the name does not say it. */
const newIds: Record<string, string> = {
  "auth.createApiKey": "apiKeyPublicId",
  "serviceAccount.create": "memberPublicId",
  "serviceAccount.createKey": "apiKeyPublicId",
  "checklist.addItem": "checklistItemPublicId",
  "invite.accept": "memberPublicId",
  "invite.createLink": "inviteCode",
  "workspace.import": "importPublicId",
};
const newIdOf = (name: string) => newIds[name] ?? `${name.split(".")[0]}PublicId`;

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id = ""]) => id);
const fieldsOf = ({ schema }: Any = {}) => {
  const named = document.components.schemas[schema?.$ref?.split("/").at(-1)] ?? schema;
  return Object.keys(named?.properties ?? {});
};

// Who creates something is no operator, and operators create nothing.
const ofTenants = routesOf(appRouter).filter(
  ({ operation }) => ruleOf(operation).on !== "operator",
);

const operations = ofTenants.map(({ name, operation, method, path }) => {
  const described = document.paths[path][method.toLowerCase()];
  const { links, content } = described.responses[200] ?? {};
  const rule: Rule = ruleOf(operation);
  const body = fieldsOf(described.requestBody?.content["application/json"]);
  const parameters = described.parameters.map((one: Any): string => one.name);
  const given = new Set<string>([...body, ...parameters]);
  return {
    name,
    method,
    path,
    rule,
    links,
    given,
    response: fieldsOf(content?.["application/json"]),
  };
});

/** Whether a client may make the id, the answer has a new one, or its name or events say it. */
const creates = ({ name, method, path, rule, response }: (typeof operations)[number]) => {
  const id = newIdOf(name);
  const answersNewId = response.some((field) => field === "publicId" || field === id);
  const verb = /\.(create|register|login|invite|accept|import|add|upload|prepare|duplicate|trello)/;
  const saysIt =
    verb.test(name) ||
    (rule.emits ?? []).some((type) => /\.(created|invited|joined|started)$/.test(type));
  const isNew = "creates" in rule || (answersNewId && !path.includes(`{${id}}`)) || saysIt;
  return method === "POST" && isNew;
};

test("every create has links, or a reason", () => {
  const named = (some: typeof operations) => some.map(({ name }) => name).toSorted();
  const linking = operations.filter(({ links }) => links !== undefined);
  const all = operations.filter((one) => creates(one));
  expect([...named(linking), ...Object.keys(unlinked)].toSorted()).toEqual(named(all));
  for (const [name, reason] of Object.entries(unlinked)) {
    expect([name, name in interfaceTable]).toEqual([name, reason === fixed]);
  }
});

test.each(operations.filter(({ links }) => links !== undefined))(
  "$name links to every operation on what it creates",
  ({ name, path, links, given, response }) => {
    const newId = newIdOf(name);
    const known = new Set([newId, ...given, ...response]);
    const reachable = operations.filter((one) => {
      const ids = idsIn(one.path);
      return ids.includes(newId) && ids.every((id) => known.has(id));
    });
    expect(reachable.length).toBeGreaterThan(0);
    expect(Object.keys(links)).toEqual(expect.arrayContaining(reachable.map((one) => one.name)));
    for (const [linked, { operationId, parameters }] of Object.entries<Any>(links)) {
      expect(operationId).toBe(linked);
      const target = operations.find((one) => one.name === operationId)?.path ?? "";
      expect(Object.keys(parameters)).toEqual(idsIn(target));
      for (const [id, value] of Object.entries<string>(parameters)) {
        const pattern = /^\$(response\.body#\/|request\.path\.|request\.body#\/)(\w+)$/;
        const [, source = "", field = ""] = pattern.exec(value) ?? [];
        expect(field).toBe(id === newId && !response.includes(id) ? "publicId" : id);
        if (id === newId || source.startsWith("response")) expect(response).toContain(field);
        else expect(source.includes("path") ? idsIn(path) : [...given]).toContain(field);
      }
    }
  },
);

test("an invite link leads to the reads and the end of it, whose paths name the workspace", () => {
  const { links } = operations.find(({ name }) => name === "invite.createLink") ?? {};
  expect(Object.keys(links).toSorted()).toEqual([
    "invite.deactivateLink",
    "invite.get",
    "invite.getLink",
  ]);
});
