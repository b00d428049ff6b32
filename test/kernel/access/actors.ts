import { ruleOf, viewsOf, type Operation } from "../../../src/contract/policy.ts";
import { connectApp } from "../../domain/oauth/app.ts";
import { as } from "../../support/as.ts";
import { makeUser, putMember } from "./fixtures.ts";
import { heldByKey, neededBy, type KeyBounds, type CallerState } from "./expected.ts";
import { expireKey, linkToIssuer, setKeyPermissions, setOnlyOverrides } from "./rows.ts";
import { session, type Who } from "./targets.ts";
import { makeOperator } from "../../support/operator.ts";
import { adminKey, type World } from "./world.ts";

/** One kind of caller, ready to call. */
export type Actor = {
  name: string;
  membership: CallerState;
  token?: string;
  headers?: Record<string, string>;
  who?: Who;
  /** Sets what depends on the operation: the override, or the key's permissions. */
  before(operation: Operation): Promise<unknown>;
};

const nothing = async () => undefined;

/** Every kind of caller, on the fixtures' workspace. */
export async function makeActors(world: World): Promise<Actor[]> {
  return [
    { name: "anonymous", membership: { credential: "none" }, before: nothing },
    {
      name: "garbage token",
      token: "no.good.token",
      membership: { credential: "bad" },
      before: nothing,
    },
    {
      name: "operator",
      headers: { "X-Admin-Key": adminKey },
      membership: { credential: "none", operator: true },
      before: nothing,
    },
    {
      name: "garbage operator",
      headers: { "X-Admin-Key": `${adminKey}?` },
      membership: { credential: "none", wrongKey: true },
      before: nothing,
    },
    {
      name: "garbage key",
      token: "wbs_garbage",
      membership: { credential: "bad" },
      before: nothing,
    },
    await person(world, "stranger", { credential: "good" }),
    await operatorAccount(world, "operator's account", { credential: "good", operator: true }),
    await disabled(world, await operatorAccount(world, "disabled operator", { credential: "bad" })),
    await keyOfOperator(world),
    await person(world, "invited", { credential: "good", invited: true }),
    await person(world, "guest", { credential: "good", role: "guest" }),
    await person(world, "member", { credential: "good", role: "member" }),
    await person(world, "admin", { credential: "good", role: "admin" }),
    await sentByIssuer(
      await person(world, "admin by the issuer", { credential: "good", role: "admin" }),
      world,
    ),
    await person(world, "removed admin, creator", {
      credential: "good",
      role: "admin",
      removed: true,
      creator: true,
    }),
    await person(world, "guest, permission granted", {
      credential: "good",
      role: "guest",
      override: "granted",
    }),
    await person(world, "admin, permission revoked", {
      credential: "good",
      role: "admin",
      override: "revoked",
    }),
    await person(world, "member, permission revoked, creator", {
      credential: "good",
      role: "member",
      override: "revoked",
      creator: true,
    }),
    await revoked(
      await person(world, "revoked session", { credential: "bad", role: "admin" }),
      world,
    ),
    ...(await keyActors(world)),
  ];
}

/** A signed-in caller, with the described membership. */
export async function person(world: World, name: string, membership: CallerState): Promise<Actor> {
  const { app, fixtures } = world;
  const user = await makeUser(app, "Actor");
  const { role, removed, override } = membership;
  if (membership.invited) await putMember(fixtures, user, "admin", "invited");
  const member =
    role && (await putMember(fixtures, user, role, removed === true ? "removed" : "active"));
  const granted = override === "granted";
  return {
    name,
    membership,
    token: user.token,
    who: user,
    async before(operation) {
      if (member === undefined || override === undefined) return;
      const needed = neededBy(operation);
      const views = granted ? viewsOf(ruleOf(operation)) : [];
      await setOnlyOverrides(app, member.id, [needed, ...views], granted);
    },
  };
}

/** A caller who is signed in to an account that an operator made an operator's. */
async function operatorAccount(world: World, name: string, membership: CallerState) {
  const actor = await person(world, name, membership);
  if (actor.who !== undefined) await makeOperator(world.app, actor.who.publicId);
  return actor;
}

/** The same caller, after an operator has disabled the account: what was the account's has ended. */
async function disabled({ app }: World, { who, ...actor }: Actor): Promise<Actor> {
  await app.call({
    method: "PUT",
    path: `/operator/users/${who?.publicId}`,
    headers: { "X-Admin-Key": adminKey },
    body: { isDisabled: true },
  });
  return actor;
}

/** A caller with an unlimited API key of an operator's account: no key is an operator's. */
async function keyOfOperator(world: World): Promise<Actor> {
  const membership = { credential: "good", key: {} } as const;
  const { token, ...actor } = await operatorAccount(world, "operator's key", membership);
  const { body } = await world.app.call({
    method: "POST",
    path: "/auth/api-keys",
    ...(token === undefined ? {} : { token }),
    body: { name: "key", password: "a password for tests" },
  });
  return { ...actor, token: body.key };
}

async function revoked(actor: Actor, { app }: World): Promise<Actor> {
  if (actor.who === undefined) return actor;
  const made = await session({ app }, actor.who);
  await app.call({ method: "POST", path: "/auth/logout", token: made.token });
  return { ...actor, token: made.token };
}

/** The same caller, with a token of the trusted issuer. */
async function sentByIssuer(actor: Actor, { app, issuer }: World): Promise<Actor> {
  if (actor.who === undefined) return actor;
  const sub = actor.who.publicId;
  await linkToIssuer(app, actor.who.id, issuer.url, sub);
  return { ...actor, token: await issuer.token(app.deps.clock(), { sub }) };
}

async function keyActors(world: World): Promise<Actor[]> {
  const { app } = world;
  const admin = await person(world, "", { credential: "good", role: "admin" });
  const guest = await person(world, "", { credential: "good", role: "guest" });
  const maker = await person(world, "", {
    credential: "good",
    role: "member",
    override: "revoked",
    creator: true,
  });
  const elsewhere = await app.call({
    method: "POST",
    path: "/workspaces",
    token: admin.token,
    body: { name: "Elsewhere" },
  });
  /** The workspace and the board of a key, as an input. */
  const boundsOf = ({ board, workspace, readOnly }: KeyBounds) => ({
    readOnly: readOnly === true,
    ...(workspace && {
      workspacePublicId:
        workspace === "here" ? world.fixtures.ids.workspace : elsewhere.body.publicId,
    }),
    ...(board && {
      boardPublicId: board === "here" ? world.fixtures.ids.board : world.fixtures.other.board,
    }),
  });
  const inApp = async (name: string, owner: Actor, key: KeyBounds): Promise<Actor> => {
    const bounds = { ...boundsOf(key), password: "a password for tests" };
    const user = as(app, owner.token);
    const connected = await connectApp(app, user, { bounds, resource: app.deps.baseUrl });
    const membership = { ...owner.membership, key };
    return { ...owner, name, membership, token: connected.accessToken };
  };
  const inKey = async (
    name: string,
    owner: Actor,
    key: KeyBounds,
    end?: "expired" | "revoked",
  ): Promise<Actor> => {
    const { permissions } = key;
    const body = {
      name: "key",
      ...boundsOf(key),
      ...(permissions === undefined ? {} : { permissions: [] }),
    };
    const made = await app.call({
      method: "POST",
      path: "/auth/api-keys",
      token: owner.token,
      body: { ...body, password: "a password for tests" },
    });
    const { publicId } = made.body;
    if (end === "expired") await expireKey(app, publicId);
    if (end === "revoked") {
      await app.call({ method: "DELETE", path: `/auth/api-keys/${publicId}`, token: owner.token });
    }
    return {
      name,
      membership: { ...owner.membership, credential: end === undefined ? "good" : "bad", key },
      token: made.body.key,
      ...(owner.who && { who: owner.who }),
      async before(operation) {
        await owner.before(operation);
        if (permissions === undefined) return;
        await setKeyPermissions(app, publicId, heldByKey(operation, permissions));
      },
    };
  };
  return [
    await inKey("key", admin, {}),
    await inKey("read-only key", admin, { readOnly: true }),
    await inKey("key to the permission alone", admin, { permissions: "needed" }),
    await inKey("key to all other permissions", admin, { permissions: "others" }),
    await inKey("key of this workspace", admin, { workspace: "here" }),
    await inKey("key of another workspace", admin, { workspace: "elsewhere" }),
    await inKey("key of this board", admin, { board: "here" }),
    await inKey("key of another board", admin, { board: "elsewhere" }),
    await inKey("guest's key to all permissions", guest, { permissions: "all" }),
    await inKey("creator's key to all other permissions", maker, { permissions: "others" }),
    await inKey("expired key", admin, {}, "expired"),
    await inKey("revoked key", admin, {}, "revoked"),
    await inApp("app", admin, {}),
    await inApp("read-only app", admin, { readOnly: true }),
    await inApp("app of this workspace", admin, { workspace: "here" }),
    await inApp("app of another workspace", admin, { workspace: "elsewhere" }),
    await inApp("app of this board", admin, { board: "here" }),
    await inApp("guest's app", guest, {}),
  ];
}
