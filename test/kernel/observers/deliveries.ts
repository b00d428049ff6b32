import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect } from "vitest";
import { sentTo } from "../../outbound/webhooks/hook.ts";
import { ruleOf } from "../../../src/contract/policy.ts";
import { as } from "../../support/as.ts";
import { main } from "../access/perform.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);

/** These happen in other workspaces. A new workspace has no webhook. */
const elsewhere = new Set(["workspace.created", "member.joined"]);

/** The deliveries of a write match the catalogue of webhooks. */
export function deliversAsCatalogued(world: () => World): Observer {
  let checks = new Map<string, ValidateFunction>();
  const types = new Set<string>();
  beforeAll(async () => {
    const { app, fixtures, receiver } = world();
    const path = `/workspaces/${fixtures.ids.workspace}/webhooks`;
    const hook = { name: "All", url: receiver.url, events: ["*"] };
    const { body } = await fixtures.admin.rest.post(path, hook);
    receiver.trust(body.secret);
    const { body: catalogue } = await as(app).rest.get("/webhooks/events");
    checks = new Map(catalogue.map(({ type, schema }: any) => [type, ajv.compile(schema)]));
  });
  return {
    name: "has deliveries that match the catalogue",
    // Operators act on workspaces of others, which have no webhook.
    watches: (operation, api) =>
      api === "REST" && main[operation] !== undefined && ruleOf(operation).on !== "operator",
    async after() {
      const { app, receiver } = world();
      for (const { body } of await sentTo(app, receiver)) {
        const validate = checks.get(body.type);
        expect([body, validate?.(body), validate?.errors]).toEqual([body, true, null]);
        types.add(body.type);
      }
    },
    ends: {
      "the events of all writes were delivered"() {
        const made = new Set(Object.values(main).filter((type) => !elsewhere.has(type)));
        expect([...made].filter((type) => !types.has(type))).toEqual([]);
      },
    },
  };
}
