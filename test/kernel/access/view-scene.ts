import type { z } from "zod";
import type { Operation } from "../../../src/contract/policy.ts";
import {
  permissions,
  viewing,
  type Permission,
} from "../../../src/contract/vocabulary/permissions.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { upload } from "../../domain/attachments/files.ts";
import { idFields, kindOf, routeOf, writes, type Input } from "./call.ts";
import { makeUser, putMember } from "./fixtures.ts";
import { isAnchor, withIdsOf } from "./foreign.ts";
import { inputs } from "./inputs.ts";
import { setOverride } from "./membership.ts";
import type { World } from "./world.ts";
import { keepCards } from "../../support/kept.ts";

/** The text that only holders of a permission to view may see. */
export const canaryOf = (permission: Permission) =>
  `Verborgen${permission.replace(":view", "").replace(/^./, (letter) => letter.toUpperCase())}`;

/** How many comments the card of the fixtures has: a number that means nothing else. */
const commentCount = 1237;

/** What only holders of a permission to view may read: texts, or how many there are. */
export const hiddenFrom = (lacks: Permission): RegExp =>
  lacks === "comment:view"
    ? new RegExp(`${canaryOf(lacks)}|(?<![\\w.-])${commentCount}(?![\\w.-])`)
    : new RegExp(canaryOf(lacks));

/** The output schema of an operation; undefined for a subscription. */
export const outputOf = (operation: Operation): z.core.$ZodType | undefined =>
  routeOf(operation).definition.output.schema;

/** Puts the canary of its permission into every text of the fixtures. */
export async function plantCanaries({ app, fixtures }: World): Promise<void> {
  const { admin, ids, other } = fixtures;
  const { rest } = admin;
  const home = `/workspaces/${ids.workspace}`;
  const send = async (sent: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await sent;
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const put = (path: string, body: object) => send(rest.put(path, body));
  const named = (permission: Permission) => ({
    name: canaryOf(permission),
    description: canaryOf(permission),
  });
  await put(home, named("workspace:view"));
  const card = canaryOf("card:view");
  for (const on of [ids, other]) {
    await put(`/boards/${on.board}`, named("board:view"));
    await put(`/labels/${on.label}`, { name: canaryOf("board:view"), colourCode: "#1f2e3d" });
    await put(`/lists/${on.list}`, { name: canaryOf("list:view") });
    await put(`/cards/${on.card}`, { title: card, description: card });
  }
  await put(`/checklists/${ids.checklist}`, { name: card });
  await put(`/checklists/items/${ids.checklistItem}`, { title: card });
  await send(upload(app, admin, ids.card, "bytes", { filename: `${card}.txt` }));
  const comment = { comment: canaryOf("comment:view") };
  await put(`/cards/${ids.card}/comments/${ids.comment}`, comment);
  await app.db.write(sql`INSERT INTO comments ("publicId", "workspaceId", "cardId", comment)
    SELECT "publicId" || nth, "workspaceId", "cardId", comment
    FROM comments, generate_series(2, ${commentCount}::int) AS nth
    WHERE "publicId" = ${ids.comment}`);
  await keepCards(app);
  await put(`/cards/${ids.card}/members/${ids.member}`, {});
  await app.db.write(sql`INSERT INTO import_issues ("importId", "workspaceId", kind, name, reason)
    SELECT id, "workspaceId", 'card', ${card}, 'unknown' FROM imports
    WHERE "publicId" = ${ids.import}`);
  const role = { ...named("member:view"), hierarchyLevel: 5, permissions: [] };
  const { body } = await rest.post(`${home}/roles`, role);
  ids.role = body.publicId;
  const email = `${canaryOf("member:view")}@example.com`.toLowerCase();
  await send(rest.post(`${home}/members/invite`, { email, rolePublicId: ids.role }));
}

/** An admin's credential without one permission. */
export type Reader = { name: string; token: string; lacks: Permission };

/** For each permission to view, a member and an API key without it. */
export async function readersOf({ app, fixtures }: World): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const lacks of viewing) {
    const [owner, member] = [await makeUser(app, "Owner"), await makeUser(app, "Reader")];
    await putMember(fixtures, owner, "admin");
    const { body } = await owner.rest.post("/auth/api-keys", {
      name: "key",
      password: "a password for tests",
      permissions: permissions.filter((permission) => permission !== lacks),
    });
    await setOverride(app, (await putMember(fixtures, member, "admin")).publicId, lacks, false);
    readers.push({ name: `member without ${lacks}`, token: member.token, lacks });
    readers.push({ name: `key without ${lacks}`, token: body.key, lacks });
  }
  return readers;
}

/** What a call may leave out: the fields that would overwrite the canaries. */
const texts = new Set(["title", "name", "description", "comment"]);

/** An input of an operation that acts on the fixtures, whose texts have canaries. */
export async function inputOnFixtures(world: World, operation: Operation): Promise<Input> {
  const { input, undo } = await inputs[operation](world, world.fixtures.admin);
  await undo?.();
  const { shape } = routeOf(operation).schema;
  // The member of the fixtures is its admin, who needs the role for the other calls.
  const isOfService = operation.startsWith("serviceAccount.");
  const changesMember = kindOf(operation) === "member" && (writes(operation) || isOfService);
  const named = idFields(operation)
    .filter((field) => !isAnchor(field))
    .filter((field) => !changesMember || field !== "memberPublicId");
  const given = withIdsOf(
    input,
    named.filter((field) => field in input || isLabels(field)),
    world.fixtures,
  );
  return Object.fromEntries(
    Object.entries(given).filter(
      ([field]) => !texts.has(field) || shape[field]?.safeParse(undefined).success === false,
    ),
  );
}

const isLabels = (field: string) => field === "labelPublicIds" || field === "sourceBoardPublicId";
