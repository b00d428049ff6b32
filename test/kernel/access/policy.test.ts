import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import {
  idFieldOf,
  policy,
  ruleOf,
  type Operation,
  type Rule,
} from "../../../src/contract/policy.ts";
import { UserEvent } from "../../../src/contract/user-events.ts";
import { catalog } from "../../../src/contract/events.ts";
import { routesOf } from "../../../src/api/rest/routes.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import type { Meta } from "../../../src/kernel/request/trpc.ts";
import { theDocument } from "../../support/responses.ts";
import { surface } from "./surface.ts";

const named = Object.keys(policy) as Operation[];
const router: AnyRouter = appRouter;
const procedures = Object.entries<AnyProcedure>(router._def.procedures).map(([path, { _def }]) => ({
  path,
  type: _def.type,
  // tRPC does not type the metadata; every procedure is made with this one.
  meta: _def.meta as Meta | undefined,
}));
const routes = routesOf(appRouter);

/**
 * GETs that leave something behind: an authorization that was started, one that was finished, and
 * a sign-in that was.
 */
const readingWrites = ["integration.authorize", "integration.callback", "signIn.callback"];

/** Reads by POST, because their input can be too long for a URL. */
const longReads = ["board.queryCards", "oauth.describe", "oauth.describeDevice"];

function needOf(rule: Rule): string {
  if (rule.on === "public") return "public";
  if (rule.on === "self" || rule.on === "operator") return rule.on;
  return rule.orCreator === true ? `${rule.needs} ∨ creator` : rule.needs;
}

describe("the policy table", () => {
  test("has one row for every procedure, and a procedure for every row", () => {
    expect(procedures.map(({ path }) => path).toSorted()).toEqual(named.toSorted());
  });

  test("guards every procedure under the procedure's own name", () => {
    const wrong = procedures.filter(({ path, meta }) => meta?.operation !== path);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("has a REST route for every row, and no route beside them", () => {
    expect(routes.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
    const paths = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("is the exported document, operation by operation", () => {
    const { paths } = theDocument();
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) =>
          ["get", "put", "post", "delete", "patch", "head", "options"].includes(method),
        )
        .map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    const routed = routes.map(({ name, method, path }) => `${name} ${method} ${path}`);
    expect(documented.toSorted()).toEqual(routed.toSorted());
  });

  test("has every name with its method, its path and its rule", () => {
    const promised = new Map(surface.map(([name, ...rest]) => [name, rest.join(" ")]));
    const built = new Map(
      routes.map(({ name, method, path, options }) => {
        const need = needOf(ruleOf(name as Operation));
        // Under an alias an operation answers just as it does under the path that the document
        // shows.
        const shown = [path, ...(options.alias === undefined ? [] : [options.alias])].map(
          (one) => `${method} ${one} ${need}`,
        );
        return [name, shown.find((one) => one === promised.get(name)) ?? shown[0]];
      }),
    );
    expect(Object.fromEntries(built)).toEqual(Object.fromEntries(promised));
  });

  test("takes reads by GET and writes by another method", () => {
    const types = new Map(procedures.map(({ path, type }) => [path, type]));
    const wrong = routes.filter(
      ({ name, method }) => (types.get(name) !== "mutation") !== (method === "GET"),
    );
    expect(wrong.map(({ name }) => name).toSorted()).toEqual(
      [...longReads, ...readingWrites].toSorted(),
    );
  });

  test("serves subscriptions as server-sent events, and no other operation", () => {
    const types = new Map(procedures.map(({ path, type }) => [path, type]));
    const wrong = routes.filter(
      ({ name, options }) =>
        (types.get(name) === "subscription") !== (options.events !== undefined),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("names in each path the target of the row, and its ancestors", () => {
    const wrong = routes.filter(({ name, schema }) => {
      const rule = ruleOf(name as Operation);
      if (!("needs" in rule)) return false;
      const fields = [idFieldOf(rule), ...(rule.in === undefined ? [] : [`${rule.in}PublicId`])];
      return fields.some((field) => !Object.hasOwn(schema.shape, field));
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("needs only permissions that there are", () => {
    const needs = named.flatMap((name) => {
      const rule = ruleOf(name);
      return "needs" in rule && rule.needs !== "member" ? [rule.needs] : [];
    });
    expect(needs.filter((need) => !permissions.includes(need))).toEqual([]);
  });

  test("lets no query announce anything", () => {
    const loud = procedures.filter(({ path, type }) => {
      const { emits = [] } = ruleOf(path as Operation);
      return type !== "mutation" && emits.length > 0;
    });
    expect(loud.map(({ path }) => path)).toEqual([]);
  });

  test("operations announce every event of the catalogue, except those of the service itself", () => {
    const emitted = new Set(named.flatMap((name) => [...(ruleOf(name).emits ?? [])]));
    const ofItself = ["webhook.disabled"];
    const ofCallers = /^(?:favourite|notification|private_view)\.(?!created$)|^private_view\./;
    const own = UserEvent.options.map(({ shape }) => shape.type.value);
    const all = [...Object.keys(catalog), ...own.filter((type) => ofCallers.test(type))];
    expect([...emitted, ...ofItself].toSorted()).toEqual(all.toSorted());
  });
});
