import { publicId } from "../../../src/platform/db/public-id.ts";
import { upload } from "../../domain/attachments/files.ts";
import type { As } from "../../support/as.ts";
import { putMember } from "./fixtures.ts";
import { handedOut } from "./expected.ts";
import { insertApiKey, insertIdentity, insertRole, insertSession, insertUser } from "./rows.ts";
import type { World } from "./world.ts";

/** Who is going to call: a target may have to be theirs. */
export type Who = { id: bigint; publicId: string };

/** A text that nothing else has. */
export const text = () => `New ${publicId()}`;

/** A new card in the fixtures' list. */
export async function card({ fixtures }: World): Promise<string> {
  const { body } = await fixtures.admin.rest.post("/cards", {
    title: text(),
    listPublicId: fixtures.ids.list,
  });
  return body.publicId;
}

/** A new checklist with one item, on a new card. */
export async function checklist(world: World) {
  const path = `/cards/${await card(world)}/checklists`;
  return (await world.fixtures.admin.rest.post(path, { name: text(), items: [text()] })).body;
}

/** A new list on the fixtures' board, with a card for each title. */
export async function list({ fixtures }: World, ...titles: string[]): Promise<string> {
  const { rest } = fixtures.admin;
  const { body } = await rest.post("/lists", { name: text(), boardPublicId: fixtures.ids.board });
  for (const title of titles) await rest.post("/cards", { title, listPublicId: body.publicId });
  return body.publicId;
}

/** A new label of the fixtures' board. */
export async function label({ fixtures }: World): Promise<string> {
  const fields = { name: text(), colourCode: "#abcdef", boardPublicId: fixtures.ids.board };
  return (await fixtures.admin.rest.post("/labels", fields)).body.publicId;
}

/** A new field of the fixtures' board, which has 50 at most: an old one makes room. */
export async function field({ fixtures }: World): Promise<string> {
  const { rest } = fixtures.admin;
  const path = `/boards/${fixtures.ids.board}/fields`;
  const { body: fields } = await rest.get(path);
  if (fields.length > 40) await rest.delete(`/fields/${fields[1].publicId}`);
  return (await rest.post(path, { name: text(), type: "text" })).body.publicId;
}

/** A new view of the fixtures' board; its workspace has 100 at most: an old one makes room. */
export async function view({ fixtures }: World): Promise<string> {
  const { rest } = fixtures.admin;
  const path = `/workspaces/${fixtures.ids.workspace}/views`;
  const { body: views } = await rest.get(path);
  const old = views.find(({ publicId: id }: { publicId: string }) => id !== fixtures.ids.view);
  if (views.length > 40) await rest.delete(`/views/${old.publicId}`);
  const fields = { name: text(), scope: "board", boardPublicId: fixtures.ids.board };
  return (await rest.post(path, fields)).body.publicId;
}

/** A new comment, with the card that it is on. */
export async function comment(world: World) {
  const cardPublicId = await card(world);
  const path = `/cards/${cardPublicId}/comments`;
  const { body } = await world.fixtures.admin.rest.post(path, { comment: text() });
  return { cardPublicId, commentPublicId: String(body.publicId) };
}

/** A new file on a new card. */
export async function attachment(world: World): Promise<string> {
  const { app, fixtures } = world;
  const { body } = await upload(app, fixtures.admin, await card(world), text());
  return body.publicId;
}

/** A new webhook; of what is done to others it hears next to nothing. */
export async function webhook({ fixtures, receiver }: World): Promise<string> {
  const { body } = await fixtures.admin.rest.post(
    `/workspaces/${fixtures.ids.workspace}/webhooks`,
    {
      name: text(),
      url: receiver.url,
      events: ["workspace.restored"],
    },
  );
  return body.publicId;
}

/** A role that ranks below all others. */
export async function lowRole(
  { app, fixtures }: World,
  permissions: string[],
): Promise<{ publicId: string; name: string }> {
  const role = { publicId: publicId(), name: text(), hierarchyLevel: 1, permissions };
  await insertRole(app, fixtures.id, role);
  return role;
}

/** A member who ranks below all others, and may see cards. */
export async function lowMember(world: World) {
  const { name } = await lowRole(world, [handedOut]);
  return putMember(world.fixtures, await account(world), name);
}

/** A user without a password. */
export async function account({ app }: World): Promise<{ id: bigint; email: string }> {
  const user = { publicId: publicId(), email: `${publicId()}@example.com`, name: "Low" };
  return { id: await insertUser(app, user), email: user.email };
}

/** Another session of a user, with an access token. */
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
  await insertSession(app, row);
  const { accessToken } = await app.deps.tokens.issue(row.publicId, who.publicId, now);
  return { publicId: row.publicId, token: accessToken };
}

/** Another API key of a user. */
export async function apiKey({ app }: World, who: Who): Promise<string> {
  const id = publicId();
  await insertApiKey(app, id, who.id);
  return id;
}

/** A provider that is linked to an account: the id of the identity. */
export async function identity({ app }: World, who: Who): Promise<string> {
  const id = publicId();
  await insertIdentity(app, id, who.id);
  return id;
}

/** A file that was sent straight to the storage for a card and is not confirmed yet. */
export async function sentAttachment({ rest }: Pick<As, "rest">, onCard: string): Promise<string> {
  const file = { filename: text(), contentType: "text/plain", size: 4 };
  const { body } = await rest.post(`/cards/${onCard}/attachments/upload-url`, file);
  await fetch(body.url, { method: body.method, headers: body.headers, body: "sent" });
  return body.attachmentPublicId;
}
