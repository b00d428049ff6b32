import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace, type User } from "../../support/make.ts";
import { stored } from "../../domain/attachments/files.ts";
import { send as sendTrello } from "./importing.ts";
import { send } from "./sending.ts";
import { makeExport } from "./trello-export.ts";

const app = useApp({ isolated: true });
const small = useApp({ isolated: true, constants: { TEXT_PER_DAY: 1 } });

const codeOf = async (response: Response) => {
  const { issues }: any = await response.json();
  return [response.status, issues[0].code];
};

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
  const response = app().fetch(request);
  return {
    response,
    finish: () => {
      controller?.enqueue(Buffer.from(JSON.stringify(makeExport({ cards: 1 })).slice(1)));
      controller?.close();
    },
  };
}

const reserved = async () =>
  app().db.reader.import.count({ where: { input: "", status: "queued" } });

test("an import that is cancelled while its file is sent stays cancelled", async () => {
  const { admin, publicId } = await makeWorkspace(app());
  const { response, finish } = begin(admin, publicId);
  await expect.poll(reserved).toBe(1);
  const listed = async () => (await admin.rest.get(`/workspaces/${publicId}/imports`)).body.items;
  const [{ publicId: importPublicId }] = await listed();
  expect((await admin.rest.post(`/imports/${importPublicId}/cancel`)).status).toBe(200);
  finish();
  expect(await codeOf(await response)).toEqual([409, "import_ended"]);
  expect(await listed()).toMatchObject([{ publicId: importPublicId, status: "cancelled" }]);
  const { body: feed } = await admin.rest.get(`/workspaces/${publicId}/events`);
  const types = feed.items.map(({ type }: { type: string }) => type);
  expect(types.filter((type: string) => type.startsWith("import."))).toEqual(["import.cancelled"]);
  expect(await app().db.reader.importFile.count()).toBe(0);
  expect(await stored(app())).toEqual([]);
});

test("a file that starts no import does not count for the text of the day", async () => {
  const limited = await makeWorkspace(small());
  const { token } = limited.admin;
  const broken = `{${" ".repeat(700_000)}`;
  expect((await send(small(), limited.admin, broken)).status).toBe(400);
  expect((await send(small(), limited.admin, broken)).status).toBe(400);
  const file = { ...makeExport({ cards: 1 }), padding: " ".repeat(400_000) };
  const sent = async (body: object) => (await sendTrello(small(), limited, body, token)).status;
  expect([await sent(file), await sent(file)]).toEqual([200, 200]);
  expect(await sent({ ...file, id: "other" })).toBe(200);
  expect(await sent({ ...file, id: "more" })).toBe(429);
});

test("a user sends two files to import at a time; others are not delayed", async () => {
  const workspace = await makeWorkspace(app());
  const home = await makeWorkspace(app());
  const sendMore = (count: number) =>
    Array.from({ length: count }, () => begin(workspace.admin, workspace.publicId));
  const two = sendMore(2);
  await expect.poll(reserved).toBe(2);
  // Four wait; one of five is refused.
  const five = sendMore(5);
  const refused = await Promise.race(five.map(({ response: answer }) => answer));
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { issues: [{ code: "overloaded" }] },
  ]);
  expect((await send(app(), workspace.admin, {})).status).toBe(503);
  expect(await reserved()).toBe(2);
  const ofOther = begin(home.admin, home.publicId);
  await expect.poll(reserved).toBe(3);
  for (const { finish } of [...two, ...five, ofOther]) finish();
  const answers = await Promise.all(
    [...two, ...five, ofOther].map(({ response: answer }) => answer),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
});
