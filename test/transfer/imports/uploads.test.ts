import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace, type User } from "../../support/make.ts";
import { send } from "./sending.ts";
import { makeExport } from "./trello-export.ts";

const app = useApp({ isolated: true });

/** Begins to send a file; `finish` sends its end. */
function begin(user: User, workspacePublicId: string) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      given.enqueue(Buffer.from("{"));
    },
  });
  const path = `/api/v1/imports/trello/file?workspacePublicId=${workspacePublicId}`;
  const init = { method: "POST", headers: { Authorization: `Bearer ${user.token}` }, body };
  const request = new Request(`http://service${path}`, { ...init, duplex: "half" });
  const answer = app().fetch(request);
  return {
    answer,
    finish: () => {
      controller?.enqueue(Buffer.from(JSON.stringify(makeExport({ cards: 1 })).slice(1)));
      controller?.close();
    },
  };
}

const reserved = async () =>
  (await app().db.reader.import.findMany({ where: { input: "" } })).length;

test("a user sends two files to import at a time; others are not delayed", async () => {
  const workspace = await makeWorkspace(app());
  const home = await makeWorkspace(app());
  const sendMore = (count: number) =>
    Array.from({ length: count }, () => begin(workspace.admin, workspace.publicId));
  const two = sendMore(2);
  await expect.poll(reserved).toBe(2);
  // Four wait; one of five is refused.
  const five = sendMore(5);
  const refused = await Promise.race(five.map(({ answer }) => answer));
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { issues: [{ code: "overloaded" }] },
  ]);
  expect((await send(app(), workspace.admin, {})).status).toBe(503);
  expect(await reserved()).toBe(2);
  const ofOther = begin(home.admin, home.publicId);
  await expect.poll(reserved).toBe(3);
  for (const { finish } of [...two, ...five, ofOther]) finish();
  const answers = await Promise.all([...two, ...five, ofOther].map(({ answer }) => answer));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
});
