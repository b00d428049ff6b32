import { describe, expect, test } from "vitest";
import { policy, ruleOf, isOperation, type Operation } from "../../src/contract/policy.ts";
import { isPersonal, type EventType } from "../../src/contract/events.ts";
import { local } from "../outbound/webhooks/hook.ts";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeUser, makeWorkspace, type User } from "../support/make.ts";
import { makeOperator, withoutAdmins } from "../support/operator.ts";
import { findEvents } from "../support/events.ts";

const app = useApp({ env: local });

/** Operations on members, roles, boards and workspaces that change the access to no live board. */
const without: ReadonlySet<Operation> = new Set([
  "user.update",
  // The events of these say themselves who sees the board, or the workspace.
  "workspace.create",
  "workspace.update",
  "workspace.delete",
  "workspace.import",
  "import.trello",
  "import.trelloFile",
  "import.github",
  "import.planka",
  "import.kan",
  "import.csv",
  "board.create",
  "board.delete",
  "board.restore",
  "member.invite",
  "role.create",
  // The name of a member.
  "serviceAccount.update",
  // Name, description and level.
  "role.update",
  // The address of an account; and, as above, the workspace.
  "operator.updateUser",
  "operator.deleteWorkspace",
  "operator.restoreWorkspace",
]);

/** Whether the events of an operation say that access may have changed. */
const mayChange = (operation: Operation) =>
  (ruleOf(operation).emits ?? []).some((type) => /^(?:workspace|member|role|board)\./.test(type));

const changing = Object.keys(policy)
  .filter(isOperation)
  .filter((operation) => ruleOf(operation).emits?.includes("access.lost"));

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** A user whose writes add the events that their responses name. */
function noting<One extends User>(user: One, named: string[]): One {
  const note =
    (call: User["rest"]["post"]): User["rest"]["post"] =>
    async (...given) => {
      const reply = await call(...given);
      const lastEvent = reply.headers.get("last-event");
      if (lastEvent !== null) named.push(lastEvent);
      return reply;
    };
  const { get, post, put, delete: remove } = user.rest;
  return { ...user, rest: { get, post: note(post), put: note(put), delete: note(remove) } };
}

/** A workspace with an open board, a restricted one with a member on it, and another without. */
async function makeScene() {
  const workspace = await makeWorkspace(app());
  const named: string[] = [];
  const admin = noting(workspace.admin, named);
  const one = noting(await join(app(), workspace, "member"), named);
  const other = await join(app(), workspace, "member");
  const open = (await makeBoard(workspace)).publicId;
  const closed = (await makeBoard(workspace)).publicId;
  await admin.rest.put(`/boards/${closed}`, { visibility: "restricted" });
  await admin.rest.put(`/boards/${closed}/members/${one.memberPublicId}`);
  const path = `/workspaces/${workspace.publicId}`;
  const cursor = (await admin.rest.get(`${path}/events?cursor=now`)).body.nextCursor;
  named.length = 0;
  return { workspace, admin, one, other, open, closed, path, cursor, named };
}

/** The boards that a user has lost and gained, by their feed. */
async function received({ path, cursor }: Scene, user: User) {
  const types = "access.gained,access.lost";
  const { status, body } = await user.rest.get(`${path}/events?cursor=${cursor}&types=${types}`);
  if (status !== 200) return status;
  expect(JSON.stringify(body.items)).not.toContain("memberPublicIds");
  return body.items
    .map(({ type, data }: any) => `${type.split(".")[1]} ${data.boardPublicId}`)
    .toSorted();
}

type Received = string[] | number;
type Expected = { admin?: Received; one?: Received; other?: Received };
type Case = (scene: Scene) => Promise<Expected>;

const memberPath = ({ path, one }: Scene) => `${path}/members/${one.memberPublicId}`;
const revoke = (scene: Scene, permission: string) =>
  scene.admin.rest.post(`${memberPath(scene)}/permissions/revoke`, { permission });
const ofRole = ({ path, workspace, admin }: Scene, verb: string, permission: string) =>
  admin.rest.post(`${path}/roles/${workspace.roles.member}/permissions/${verb}`, { permission });

/** What each operation changes, and who hears of it. */
const cases: { readonly [Name in Operation]?: Case } = {
  "board.update": async ({ admin, open }) => {
    await admin.rest.put(`/boards/${open}`, { visibility: "restricted" });
    return { one: [`lost ${open}`], other: [`lost ${open}`] };
  },
  "board.addMember": async ({ admin, closed, other }) => {
    await admin.rest.put(`/boards/${closed}/members/${other.memberPublicId}`);
    return { other: [`gained ${closed}`] };
  },
  "board.removeMember": async ({ admin, closed, one }) => {
    await admin.rest.delete(`/boards/${closed}/members/${one.memberPublicId}`);
    return { one: [`lost ${closed}`] };
  },
  "board.move": async ({ admin, open }) => {
    const { publicId } = await makeWorkspace(app(), admin);
    await admin.rest.post(`/boards/${open}/move`, { workspacePublicId: publicId });
    const lost = [`lost ${open}`];
    return { admin: lost, one: lost, other: lost };
  },
  "member.updateRole": async (scene) => {
    const { admin, path, other, closed } = scene;
    await admin.rest.put(`${path}/members/${other.memberPublicId}/role`, { role: "admin" });
    return { other: [`gained ${closed}`] };
  },
  "member.remove": async (scene) => {
    await scene.admin.rest.delete(memberPath(scene));
    return { one: 403 };
  },
  "member.leave": async ({ one, path }) => {
    await one.rest.post(`${path}/members/leave`);
    return { one: 403 };
  },
  // A service account follows nothing: nobody else gains or loses anything.
  "serviceAccount.create": async ({ admin, path }) => {
    await admin.rest.post(`${path}/service-accounts`, { name: "Deploy bot" });
    return {};
  },
  "serviceAccount.delete": async ({ admin, path }) => {
    const { body } = await admin.rest.post(`${path}/service-accounts`, { name: "Deploy bot" });
    await admin.rest.delete(`${path}/service-accounts/${body.publicId}`);
    return {};
  },
  "user.delete": async ({ one }) => {
    await one.rest.delete("/users/me", { password: "a password for tests" });
    return { one: 401 };
  },
  "operator.deleteUser": async ({ one }) => {
    const operator = await makeUser(app());
    await makeOperator(app(), operator.publicId);
    await operator.rest.delete(`/operator/users/${one.publicId}`);
    return { one: 401 };
  },
  "operator.addAdmin": async ({ workspace: { publicId }, one, closed, open }) => {
    const operator = await makeUser(app());
    await makeOperator(app(), operator.publicId);
    await withoutAdmins(app(), publicId);
    const { rest } = operator;
    await rest.post(`/operator/workspaces/${publicId}/admins`, { userPublicId: one.publicId });
    return { admin: 403, one: [`gained ${open}`, `gained ${closed}`].toSorted(), other: 403 };
  },
  "invite.accept": async ({ admin, path, one, open }) => {
    await admin.rest.delete(`${path}/members/${one.memberPublicId}`);
    const invite = { role: "member" };
    const { inviteCode } = (await admin.rest.post(`${path}/invites`, invite)).body;
    await one.rest.post("/invites/accept", { inviteCode });
    const all = [`gained ${open}`, `lost ${open}`];
    return { one: await closedOf(one, path, all) };
  },
  "permission.revokeFromMember": async (scene) => {
    await revoke(scene, "board:view");
    return { one: [`lost ${scene.open}`, `lost ${scene.closed}`].toSorted() };
  },
  "permission.grantToMember": async (scene) => {
    await scene.admin.rest.post(`${memberPath(scene)}/permissions/grant`, {
      permission: "workspace:manage",
    });
    return {};
  },
  "permission.resetMember": async (scene) => {
    await revoke(scene, "card:view");
    await scene.admin.rest.post(`${memberPath(scene)}/permissions/reset`);
    // Cards go, and come back: each time the board is to be read again.
    const twice = [scene.open, scene.closed].flatMap((board) => [
      `gained ${board}`,
      `lost ${board}`,
    ]);
    return { one: [...twice, ...twice].toSorted() };
  },
  "role.revoke": async (scene) => {
    await ofRole(scene, "revoke", "board:view");
    const { open, closed } = scene;
    return { one: [`lost ${open}`, `lost ${closed}`].toSorted(), other: [`lost ${open}`] };
  },
  "role.grant": async (scene) => {
    await ofRole(scene, "revoke", "board:view");
    await ofRole(scene, "grant", "board:view");
    const both = (board: string) => [`gained ${board}`, `lost ${board}`];
    const { open, closed } = scene;
    return { one: [...both(open), ...both(closed)].toSorted(), other: both(open) };
  },
  "workspace.restore": async ({ admin, path }) => {
    await admin.rest.delete(path);
    await admin.rest.post(`${path}/restore`);
    return {};
  },
  "role.delete": async ({ admin, path, workspace, other, open }) => {
    const fields = { name: "Blind", hierarchyLevel: 20, permissions: ["workspace:view"] };
    const { publicId } = (await admin.rest.post(`${path}/roles`, fields)).body;
    const role = { rolePublicId: publicId };
    await admin.rest.put(`${path}/members/${other.memberPublicId}/role`, role);
    await admin.rest.delete(`${path}/roles/${publicId}`, { moveMembersTo: workspace.roles.member });
    return { other: [`gained ${open}`, `lost ${open}`] };
  },
};

/** What a member who came back has received: the loss of the restricted board as well. */
async function closedOf(user: User, path: string, others: string[]) {
  const { body } = await user.rest.get(`${path}/events?types=access.lost`);
  const boards = body.items.map(({ data }: any) => `lost ${data.boardPublicId}`);
  return [...new Set([...others, ...boards])].toSorted();
}

describe("access.gained and access.lost", () => {
  test("every operation that concerns members, roles or boards emits them, or cannot", () => {
    const open = Object.keys(policy)
      .filter(isOperation)
      .filter(mayChange)
      .filter((operation) => !without.has(operation));
    expect(open.toSorted()).toEqual(changing.toSorted());
    expect(Object.keys(cases).toSorted()).toEqual(changing.toSorted());
  });

  test.each(changing)("%s: only the members concerned hear of it", async (operation) => {
    const scene = await makeScene();
    const { admin = [], one = [], other = [] } = (await cases[operation]?.(scene)) ?? {};
    expect(await received(scene, scene.one)).toEqual(one);
    expect(await received(scene, scene.other)).toEqual(other);
    expect(await received(scene, scene.admin)).toEqual(admin);
    const where = { publicId: { in: scene.named } };
    const last = await findEvents(app(), { where });
    expect(last.filter(({ type }) => isPersonal(type as EventType))).toEqual([]);
  });

  test("are in the stream and the feed of a board, and are not sent to webhooks", async () => {
    const scene = await makeScene();
    const { admin, one, open, closed, path, cursor } = scene;
    for (const events of [["access.lost"], ["access.*"]]) {
      const webhook = { name: "Hook", url: "http://127.0.0.1:9/hook", events };
      expect((await admin.rest.post(`${path}/webhooks`, webhook)).status).toBe(400);
    }
    const webhook = { name: "Hook", url: "http://127.0.0.1:9/hook", events: ["*"] };
    const { publicId } = (await admin.rest.post(`${path}/webhooks`, webhook)).body;
    await admin.rest.put(`/boards/${closed}/members/${scene.other.memberPublicId}`);
    await admin.rest.put(`/boards/${open}`, { visibility: "restricted" });
    await admin.rest.put(`/boards/${open}`, { visibility: "private" });
    const feed = `${path}/events?cursor=${cursor}&boardPublicId=${open}`;
    const { items } = (await one.rest.get(feed)).body;
    const types = items.map(({ type }: any) => type);
    expect(types.filter((type: string) => type.startsWith("access."))).toEqual([
      "access.lost",
      "access.gained",
    ]);
    const deliveries = await admin.rest.get(`${path}/webhooks/${publicId}/deliveries`);
    const sent: string[] = deliveries.body.items.map(({ type }: any) => type);
    expect(sent).toContain("board.updated");
    expect(sent.filter((type) => type.startsWith("access."))).toEqual([]);
  });

  test("match who can see the board when members and roles change at the same moment", async () => {
    const scene = await makeScene();
    const { admin, one, path, workspace, open, closed } = scene;
    const before = await received(scene, one);
    expect(before).toEqual([]);
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ofRole(scene, round % 2 === 0 ? "revoke" : "grant", "board:view"),
        admin.rest.put(`${memberPath(scene)}/role`, { role: round % 2 === 0 ? "guest" : "member" }),
        admin.rest.put(`/boards/${open}`, {
          visibility: round % 2 === 0 ? "restricted" : "private",
        }),
      ]);
    }
    const types = "types=access.gained,access.lost";
    const { items } = (await one.rest.get(`${path}/events?cursor=${scene.cursor}&${types}`)).body;
    for (const board of [open, closed]) {
      const last = items.findLast(({ data }: any) => data.boardPublicId === board);
      const sees = (await one.rest.get(`/boards/${board}`)).status === 200;
      expect(last?.type ?? "access.gained").toBe(sees ? "access.gained" : "access.lost");
    }
    expect(workspace.publicId).toBeTruthy();
  });
});
