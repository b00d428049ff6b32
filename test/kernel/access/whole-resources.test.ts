import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ruleOf, type Operation, type Rule } from "../../../src/contract/policy.ts";
import type { ResourceKind } from "../../../src/contract/vocabulary/resource-kinds.ts";
import { resourceTree, tableOf } from "../../../src/kernel/access/resources.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { apisOf, kindOf, operations, routeOf, send, writes } from "./call.ts";
import { inputs } from "./inputs.ts";
import { useWorld } from "./world.ts";

const world = useWorld();

/** The writes that answer no whole resource, by reason; docs/rest.md names the same. */
const exceptions: Record<string, Operation[]> = {
  "a deletion leaves nothing to answer": [
    "user.delete",
    "workspace.delete",
    "member.remove",
    "member.leave",
    "serviceAccount.delete",
    "invite.deactivateLink",
    "role.delete",
    "board.delete",
    "board.removeMember",
    "list.delete",
    "card.delete",
    "comment.delete",
    "label.delete",
    "field.delete",
    "view.delete",
    "checklist.delete",
    "checklist.deleteItem",
    "attachment.delete",
    "webhook.delete",
    "operator.deleteUser",
    "operator.deleteWorkspace",
  ],
  "a write of many resources answers how many, or one result for each": [
    "workspace.batch",
    "card.bulkUpdate",
    "list.moveCards",
    "webhook.replay",
    "user.readAllNotifications",
  ],
  "accounts, connections and links have secrets instead of versions": [
    ...operations.filter(
      (name) => /^(?:auth|oauth|signIn|secondFactor|integration)\./.test(name) && writes(name),
    ),
    "invite.createLink",
    "serviceAccount.createKey",
    "serviceAccount.revokeKey",
    "app.forbid",
    "app.allow",
    "attachment.prepare",
  ],
  "operators see accounts, workspaces and work from outside, without their versions":
    operations.filter(
      (name) => ruleOf(name).on === "operator" && writes(name) && !/\.delete/.test(name),
    ),
  "there may be no card to answer": ["card.next"],
  "a preview is of no resource": ["import.csvPreview"],
  "a delivery has no version": ["webhook.redeliver"],
  "the caller has sent the new state of the notification": ["user.readNotification"],
  "the interface has fixed the answer, which the read after it shows": [
    "workspace.create",
    "permission.revokeFromMember",
    "role.grant",
    "list.create",
    "card.update",
    "card.toggleLabel",
    "label.update",
  ],
  "the interface has fixed the answer, which is what the target has said": ["webhook.test"],
};

const excepted = new Set(Object.values(exceptions).flat());
const whole = operations.filter((name) => writes(name) && !excepted.has(name));

/** What an operation answers, where that is not what it is about or creates. */
const responses: Partial<Record<Operation, ResourceKind>> = {
  "member.invite": "member",
  "invite.accept": "member",
  "serviceAccount.create": "member",
  "checklist.convertItem": "card",
  "workspace.import": "import",
  "import.trello": "import",
  "import.trelloFile": "import",
  "import.github": "import",
  "import.planka": "import",
  "import.kan": "import",
  "import.csv": "import",
};

function answeredKind(name: Operation): ResourceKind | "user" {
  const rule: Rule = ruleOf(name);
  const created = "creates" in rule ? rule.creates : undefined;
  return responses[name] ?? created ?? kindOf(name) ?? "user";
}

const inOrder = new Set<string>(["list", "card", "checklist", "checklistItem"]);

/** The version of a row; undefined without a row. */
async function versionOf(kind: ResourceKind | "user", publicId: string) {
  const table = kind === "user" ? "users" : tableOf(kind).table;
  const [row] = await world().app.db.read<{ version: number }>(
    sql`SELECT version FROM ${sql.identifier(table)} WHERE "publicId" = ${publicId}`,
  );
  return row?.version;
}

const isResourceKind = (name: string): name is ResourceKind => Object.hasOwn(resourceTree, name);

/** The kind that a field of an answer names: `listPublicId` names a list. */
const namedBy = (field: string) => /^(\w+)PublicId$/.exec(field)?.[1] ?? "";

async function checkResponse(
  name: Operation,
  output: Record<string, unknown>,
  etag: string | null,
) {
  const kind = answeredKind(name);
  const { publicId = output[`${kind}PublicId`], version } = output;
  expect([name, version]).toEqual([name, await versionOf(kind, z.string().parse(publicId))]);
  if (etag !== null) expect(etag).toMatch(new RegExp(`^"${Number(version)}[-"]`));
  const parents = Object.keys(output).map(namedBy).filter(isResourceKind);
  for (const parent of parents) {
    // The webhook of all boards has null.
    const id = z.string().nullable().parse(output[`${parent}PublicId`]);
    if (id !== null) expect(await versionOf(parent, id), `${parent} ${id}`).toBeDefined();
  }
  const up = kind === "user" ? undefined : tableOf(kind).up?.[0];
  if (up !== undefined) expect(parents).toContain(up);
  if (inOrder.has(kind)) expect(output["index"]).toEqual(expect.any(Number));
}

describe("every write answers its whole resource, with its version, its parent and its index", () => {
  test.each(whole)("%s", async (name) => {
    const { app, fixtures } = world();
    for (const api of apisOf(name)) {
      const {
        input,
        token = fixtures.admin.token,
        undo,
      } = await inputs[name](world(), fixtures.admin);
      const { status, text, headers: sent } = await send(app, api, name, input, token);
      expect([status, text]).toEqual([200, expect.any(String)]);
      const body = JSON.parse(text);
      const etag = api === "REST" ? sent.get("etag") : null;
      await checkResponse(name, api === "REST" ? body : body.result.data, etag);
      await undo?.();
    }
  });
});

type Fields = Record<string, any>;
type Fixed = { read: Operation; shows: (response: Fields, input: Fields) => unknown };
const itself = (response: Fields) => response;

/** The read that shows a fixed write, and what it has then. */
const fixed: Record<string, Fixed> = {
  "workspace.create": { read: "workspace.get", shows: itself },
  "list.create": { read: "list.get", shows: itself },
  "card.update": { read: "card.get", shows: itself },
  "label.update": { read: "label.get", shows: itself },
  "card.toggleLabel": {
    read: "card.get",
    shows: ({ newLabel }, { labelPublicId }) => {
      const labels = [expect.objectContaining({ publicId: labelPublicId })];
      return {
        labels:
          newLabel === true ? expect.arrayContaining(labels) : expect.not.arrayContaining(labels),
      };
    },
  },
  "permission.revokeFromMember": {
    read: "permission.ofMember",
    shows: (_, { permission, memberPublicId }) => ({
      memberPublicId,
      permissions: expect.not.arrayContaining([permission]),
      overrides: expect.arrayContaining([{ permission, granted: false }]),
    }),
  },
  "role.grant": {
    read: "role.list",
    shows: (_, { permission, rolePublicId }) =>
      expect.arrayContaining([
        expect.objectContaining({
          publicId: rolePublicId,
          permissions: expect.arrayContaining([permission]),
        }),
      ]),
  },
};

describe("a write whose answer is fixed shows in the next read, with its version", () => {
  test.each(Object.entries(fixed))("%s", async (operation, { read, shows }) => {
    const name = operation as Operation;
    const { app, fixtures } = world();
    for (const api of apisOf(name)) {
      const { input, undo } = await inputs[name](world(), fixtures.admin);
      const call = async (one: Operation, given: Fields) => {
        const { status, text, headers } = await send(app, api, one, given, fixtures.admin.token);
        expect([one, status, text]).toEqual([one, 200, expect.any(String)]);
        const body = JSON.parse(text);
        return { body: api === "REST" ? body : body.result.data, etag: headers.get("etag") };
      };
      const written = await call(name, input);
      const kind = answeredKind(name);
      const ids = {
        ...input,
        [`${kind}PublicId`]: input[`${kind}PublicId`] ?? written.body.publicId,
      };
      const fields = Object.entries(ids).filter(([field]) =>
        routeOf(read).path.includes(`{${field}}`),
      );
      const shown = await call(read, Object.fromEntries(fields));
      const expected = shows(written.body, input);
      if (read === "role.list") expect(shown.body).toEqual(expected);
      else expect(shown.body).toMatchObject(expected as object);
      if (written.etag !== null && shown.body.version !== undefined) {
        expect(written.etag).toMatch(new RegExp(`^"${shown.body.version}[-"]`));
      }
      await undo?.();
    }
  });

  test("every write with a fixed answer is read", () => {
    const listed = Object.entries(exceptions).find(([reason]) => /read after/.test(reason));
    expect(listed?.[1].toSorted()).toEqual(Object.keys(fixed).toSorted());
  });
});

test("the exceptions are writes, each with one reason, and those that delete use DELETE", () => {
  const listed = Object.values(exceptions).flat();
  expect(listed.filter((name) => !writes(name))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  const [deletions = []] = Object.values(exceptions);
  const others = deletions.filter((name) => routeOf(name).method !== "DELETE");
  expect(others).toEqual(["member.leave"]);
  expect(
    operations.filter((name) => routeOf(name).method === "DELETE" && whole.includes(name)),
  ).toEqual(["card.removeLabel", "card.removeMember", "card.releaseClaim", "relation.delete"]);
});
