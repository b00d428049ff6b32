import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { setOverride } from "./membership.ts";

const app = useApp();

/** Misspelled, short, prefix, rare and exact queries, a card number and signs. */
const queries = ["paymentq", "paymnt", "paymentq3", "pa", "p", "qu", "quokka", "qoukka", "payment"];
const others = ["paymenta paymentb", "1", "30", "登录", "录", "🎉", "c++", "fix payment", "zzz"];

/** Twelve names that a query resembles, of which the caller sees each. */
const seen = Array.from({ length: 12 }, (_, nth) => `paymentqx${String.fromCharCode(97 + nth)}`);
/** Names that are more similar, and others with the same words, which the caller never sees. */
const secrets = [
  "paymentq",
  "paymentqy",
  "paymnt",
  "quokka",
  "修复登录页面",
  "Party🎉",
  "C++",
  "x",
];

/** What a reader answers to all queries, by titles instead of ids. */
async function responsesOf(hide: boolean) {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  await admin.rest.put(`/boards/${board.publicId}`, { name: "Seen" });
  const [list = "", gone = ""] = board.lists;
  for (const title of [...seen, "Fix payment", "登录"]) await makeCard(admin, list, title);
  const commented = await makeCard(admin, list, "plain");
  if (hide) {
    const hidden = await makeBoard(workspace);
    const restricted = { name: "paymentqz", visibility: "restricted" };
    await admin.rest.put(`/boards/${hidden.publicId}`, restricted);
    for (const title of secrets) {
      const card = await makeCard(admin, hidden.lists[0] ?? "", title);
      await admin.rest.post(`/cards/${card}/comments`, { comment: title });
      await admin.rest.delete(`/cards/${await makeCard(admin, list, title)}`);
      await makeCard(admin, gone, title);
    }
    await admin.rest.post(`/cards/${commented}/comments`, { comment: "quokka paymentq 🎉" });
  }
  await admin.rest.delete(`/lists/${gone}`);
  const member = await join(app(), workspace, "member");
  await setOverride(app(), member.memberPublicId, "comment:view", false);
  const boardless = await join(app(), workspace, "member");
  await setOverride(app(), boardless.memberPublicId, "card:view", false);
  await setOverride(app(), boardless.memberPublicId, "comment:view", false);
  const { body: key } = await admin.rest.post("/auth/api-keys", {
    name: "key",
    password: "a password for tests",
    boardPublicId: board.publicId,
    permissions: ["workspace:view", "board:view", "list:view", "card:view"],
  });
  const responses: unknown[][] = [];
  for (const token of [member.token, boardless.token, String(key.key)]) {
    for (const query of [...queries, ...others]) {
      for (const more of ["", "&type=card", "&type=board", `&boardPublicId=${board.publicId}`]) {
        const path = `/workspaces/${workspace.publicId}/search?query=${encodeURIComponent(query)}`;
        const { status, body } = await app().call({ method: "GET", path: path + more, token });
        const items = body.items?.map(
          ({ type, title, excerpt, boardName }: Record<string, string>) =>
            `${type} ${title} ${excerpt} ${boardName}`,
        );
        const { isCapped, nextCursor } = body;
        responses.push([query, more.slice(0, 9), status, items, isCapped, nextCursor]);
      }
    }
  }
  return responses;
}

test("a search answers the same with and without what its caller may not see", async () => {
  const without = await responsesOf(false);
  expect(await responsesOf(true)).toEqual(without);
  const named = without.filter((response) => JSON.stringify(response).includes("paymentqx"));
  expect(named.length).toBeGreaterThan(4);
  // Those of the two members: the key is refused where it is bound to the board.
  const ofMembers = without.slice(0, (without.length / 3) * 2);
  expect(new Set(ofMembers.map(([, , status]) => status))).toEqual(new Set([200]));
});
