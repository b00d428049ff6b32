import type { Operation } from "../../../src/contract/policy.ts";
import { makeUser, putMember } from "./estate.ts";
import { heldByKey, neededBy, type KeyBounds, type CallerState } from "./expected.ts";
import { expireKey, linkToIssuer, setKeyPermissions, setOnlyOverride } from "./fixtures.ts";
import { session, type Who } from "./targets.ts";
import { adminKey, type World } from "./world.ts";

/** One kind of caller, ready to call. */
export type Persona = {
  name: string;
  membership: CallerState;
  token?: string;
  headers?: Record<string, string>;
  who?: Who;
  /** Sets what depends on the operation: the override, or the key's permissions. */
  before(operation: Operation): Promise<unknown>;
};

const nothing = async () => undefined;

/** Every kind of caller, on the estate's workspace. */
export async function makePersonas(world: World): Promise<Persona[]> {
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
      membership: { credential: "none" },
      before: nothing,
    },
    {
      name: "garbage key",
      token: "wbs_garbage",
      membership: { credential: "bad" },
      before: nothing,
    },
    await person(world, "stranger", { credential: "good" }),
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
    ...(await keyPersonas(world)),
  ];
}

/** A signed-in caller, with the described membership. */
export async function person(
  world: World,
  name: string,
  membership: CallerState,
): Promise<Persona> {
  const { app, estate } = world;
  const user = await makeUser(app, "Persona");
  const { role, removed, override } = membership;
  if (membership.invited) await putMember(estate, user, "admin", "invited");
  const member =
    role && (await putMember(estate, user, role, removed === true ? "removed" : "active"));
  const granted = override === "granted";
  return {
    name,
    membership,
    token: user.token,
    who: user,
    async before(operation) {
      if (member === undefined || override === undefined) return;
      await setOnlyOverride(app, member.id, neededBy(operation), granted);
    },
  };
}

async function revoked(persona: Persona, { app }: World): Promise<Persona> {
  if (persona.who === undefined) return persona;
  const made = await session({ app }, persona.who);
  await app.call({ method: "POST", path: "/auth/logout", token: made.token });
  return { ...persona, token: made.token };
}

/** The same caller, with a token of the trusted issuer. */
async function sentByIssuer(persona: Persona, { app, issuer }: World): Promise<Persona> {
  if (persona.who === undefined) return persona;
  const sub = persona.who.publicId;
  await linkToIssuer(app, persona.who.id, issuer.url, sub);
  return { ...persona, token: await issuer.token(app.deps.clock(), { sub }) };
}

async function keyPersonas(world: World): Promise<Persona[]> {
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
  const inKey = async (
    name: string,
    owner: Persona,
    key: KeyBounds,
    end?: "expired" | "revoked",
  ): Promise<Persona> => {
    const { board, workspace, readOnly = false, permissions } = key;
    const body = {
      name: "key",
      readOnly,
      ...(permissions === undefined ? {} : { permissions: [] }),
      ...(workspace && {
        workspacePublicId:
          workspace === "here" ? world.estate.ids.workspace : elsewhere.body.publicId,
      }),
      ...(board && {
        boardPublicId: board === "here" ? world.estate.ids.board : world.estate.other.board,
      }),
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
  ];
}
