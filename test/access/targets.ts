import { publicId } from "../../src/db/public-id.ts";
import { putMember } from "./estate.ts";
import { handedOut } from "./expected.ts";
import type { World } from "./world.ts";

/** Who is going to call: a target may have to be theirs. */
export type Who = { id: bigint; publicId: string };

/** A text that nothing else has. */
export const text = () => `New ${publicId()}`;

/** A new card in the estate's list. */
export async function card({ estate }: World): Promise<string> {
  const { body } = await estate.admin.rest.post("/cards", {
    title: text(),
    listPublicId: estate.ids.list,
  });
  return body.publicId;
}

/** A new checklist with one item, on a new card. */
export async function checklist(world: World) {
  const path = `/cards/${await card(world)}/checklists`;
  return (await world.estate.admin.rest.post(path, { name: text(), items: [text()] })).body;
}

/** A role that stands below everybody's. */
export async function lowRole(
  { app, estate }: World,
  permissions: string[],
): Promise<{ publicId: string; name: string }> {
  const role = { publicId: publicId(), name: text(), hierarchyLevel: 1, permissions };
  return app.db.transact((tx) => tx.role.create({ data: { ...role, workspaceId: estate.id } }));
}

/** A member who stands below everybody, and may see cards. */
export async function lowMember(world: World) {
  const { name } = await lowRole(world, [handedOut]);
  const user = { publicId: publicId(), email: `${publicId()}@example.com`, name: "Low" };
  const made = await world.app.db.transact((tx) => tx.user.create({ data: user }));
  return putMember(world.estate, made, name);
}

/** One more session of somebody, with a token of it. */
export async function session(
  { app }: Pick<World, "app">,
  who: Who,
): Promise<{ publicId: string; token: string }> {
  const now = app.deps.clock();
  const row = {
    publicId: publicId(),
    userId: who.id,
    expiresAt: new Date(now.getTime() + 3_600_000),
  };
  await app.db.transact((tx) => tx.session.create({ data: row }));
  const { accessToken } = await app.deps.tokens.issue(row.publicId, who.publicId, now);
  return { publicId: row.publicId, token: accessToken };
}

/** One more API key of somebody. */
export async function apiKey({ app }: World, who: Who): Promise<string> {
  const row = {
    publicId: publicId(),
    userId: who.id,
    name: "key",
    keyHash: publicId(),
    prefix: "wbs_",
  };
  await app.db.transact((tx) => tx.apiKey.create({ data: row }));
  return row.publicId;
}
