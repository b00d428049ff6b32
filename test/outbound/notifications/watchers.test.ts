import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { makeTeam, typesOf, watch } from "./team.ts";

const app = useApp();

const comment = async (by: As, card: string) => {
  const { status } = await by.rest.post(`/cards/${card}/comments`, { comment: "A comment" });
  expect(status).toBe(200);
};

/** What the row of a card says of its watchers, with its watchers. */
async function watchersOf(card: string) {
  const [row] = await app().db.read<{ watcherId: bigint | null; users: string[] }>(
    sql`SELECT c."watcherId", ARRAY(SELECT u."publicId" FROM card_watchers cw
        JOIN users u ON u.id = cw."userId" WHERE cw."cardId" = c.id ORDER BY u.id) AS users
      FROM cards c WHERE c."publicId" = ${card}`,
  );
  return { isAlone: row?.watcherId !== null && row?.watcherId !== 0n, users: row?.users ?? [] };
}

const commented = ["watched", "comment.created"];

test("the author of comments alone watches the card, until others do", async () => {
  const { ann, ben, cleo, card } = await makeTeam(app());
  expect(await watchersOf(card)).toEqual({ isAlone: false, users: [] });
  await comment(ann, card);
  await comment(ann, card);
  expect(await watchersOf(card)).toEqual({ isAlone: true, users: [ann.publicId] });
  expect(await typesOf(ann)).toEqual([]);
  await comment(ben, card);
  expect(await watchersOf(card)).toEqual({ isAlone: false, users: [ann.publicId, ben.publicId] });
  expect(await typesOf(ann)).toEqual([commented]);
  await comment(ann, card);
  expect(await typesOf(ben)).toEqual([commented]);
  await watch(ann, card, false);
  expect(await watchersOf(card)).toEqual({ isAlone: true, users: [ben.publicId] });
  await watch(cleo, card);
  await ben.rest.put(`/cards/${card}`, { title: "Another title" });
  expect(await typesOf(cleo)).toEqual([["watched", "card.updated"]]);
  expect(await typesOf(ben)).toEqual([commented]);
});

test("who comments again after leaving and joining again watches again", async () => {
  const { workspace, ann, ben, card } = await makeTeam(app());
  await comment(ben, card);
  const home = `/workspaces/${workspace.publicId}`;
  expect((await ann.rest.delete(`${home}/members/${ben.memberPublicId}`)).status).toBe(200);
  expect((await watchersOf(card)).users).toEqual([]);
  const { body } = await ann.rest.post(`${home}/invites`, { role: "member" });
  const joined = await ben.rest.post("/invites/accept", { inviteCode: body.inviteCode });
  expect(joined.status).toBe(200);
  await comment(ben, card);
  expect((await watchersOf(card)).users).toEqual([ben.publicId]);
  await ann.rest.put(`/cards/${card}`, { title: "Another title" });
  expect(await typesOf(ben)).toEqual([["watched", "card.updated"]]);
});
