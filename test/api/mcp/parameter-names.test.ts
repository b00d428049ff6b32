import { Hono } from "hono";
import { expect, test } from "vitest";
import type { z } from "zod";
import { Find } from "../../../src/api/mcp/find.ts";
import { parameterOf, pathInTool } from "../../../src/api/mcp/parameter-names.ts";
import { Session } from "../../../src/api/mcp/session.ts";
import { toolsOf } from "../../../src/api/mcp/tools/index.ts";
import { createContext } from "../../../src/api/rest/create-context.ts";
import { appRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { argumentsFor, tenantOf } from "./tenant.ts";

const app = useApp();
const writing = toolsOf(appRouter).flatMap(({ plan, ...tool }) =>
  plan ? [{ ...tool, plan }] : [],
);

/** Arguments for all that a tool may send to its operation. */
const more: Record<string, object> = {
  card_create: {
    description: "a",
    startDate: "2031-01-01",
    dueDate: "2031-01-01",
    priority: "high",
    labels: ["Label 0"],
    members: ["me"],
    checklists: [{ name: "a" }],
    parent: "1",
    blockedBy: ["2", "3"],
    position: "end",
    override: true,
    fields: {},
  },
  card_update: {
    addLabels: ["Label 0"],
    removeLabels: ["Label 0"],
    addMembers: ["me"],
    removeMembers: ["me"],
    isComplete: true,
    fields: {},
    clear: ["description", "startDate", "dueDate"],
  },
  link_create: { name: "a" },
  item_update: { title: "a", member: "me", dueDate: "2031-01-01" },
  card_next: { list: "Other", label: "Label 0", member: "me", sort: "priority", minutes: 3 },
  card_claim: { minutes: 3 },
  board_create: { description: "a", lists: ["a"], labels: ["a"] },
  board_update: { description: "a", isArchived: false },
  list_create: { position: "start" },
  list_update: { wipLimit: 3, wipMode: "warn", override: true, before: "Other" },
  label_create: { colour: "#1f2e3d" },
  label_update: { colour: "#1f2e3d" },
};

test("each field that a tool sends has the name of a parameter of the tool", async () => {
  const owned = await tenantOf(app());
  const args = argumentsFor(owned);
  const unnamed: string[] = [];
  const probe = new Hono().all("/", async (c) => {
    const ctx = await createContext(c, app().deps, "probe");
    for (const { name, input, plan } of writing) {
      const find = new Find(new Session(ctx, false));
      const planned = await plan(find, { ...args[name], ...more[name] });
      for (const field of fieldsIn(planned.input)) {
        const { [field]: value } = planned.input;
        const places = planned.places?.[field];
        const isPlaced = places?.length === (Array.isArray(value) ? value.length : undefined);
        const isNamed = places === undefined ? parameterOf(input, field) !== undefined : isPlaced;
        if (!isNamed) unnamed.push(`${name} ${field}`);
      }
    }
    return c.text("");
  });
  const headers = { Authorization: `Bearer ${owned.workspace.admin.token}` };
  expect((await probe.request("/", { headers })).status).toBe(200);
  expect(unnamed).toEqual([]);
});

/** The fields of an input; those of `card.next` are also within its filter. */
const fieldsIn = ({ filter, ...others }: Record<string, unknown>): string[] =>
  [Object.keys(others), typeof filter === "object" ? Object.keys(filter ?? {}) : []].flat();

test.each([
  ["label_create", ["colourCode"], ["colour"]],
  ["card_create", ["labelPublicIds", 3], ["labels", 3]],
  ["card_create", ["checklists", 0, "name"], ["checklists", 0, "name"]],
  ["card_move", ["beforeCardPublicId"], ["before"]],
  ["comment_update", ["commentPublicId"], ["commentId"]],
  ["comment_update", ["comment"], ["comment"]],
  ["item_update", ["checklistItemPublicId"], ["item"]],
  ["card_next", ["filter", "labels", 0], ["label", 0]],
  ["card_next", ["filter", "filter", "and", 0], ["filter", "and", 0]],
] as const)("%s calls %j %j", (name, path, expected) => {
  const tool = writing.find((one) => one.name === name);
  expect(pathInTool(tool?.input as z.ZodObject, [...path])).toEqual([...expected]);
});
