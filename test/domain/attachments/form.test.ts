import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { board, list } from "../../transfer/imports/trello-objects.ts";
import { download, png, start, stored } from "./files.ts";

const app = useApp({ isolated: true });

type Sender = { token: string };
async function post(user: Sender, path: string, body: string | FormData, headers: object = {}) {
  const response = await app().fetch(
    new Request(`http://service/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${user.token}`, ...headers },
      body,
    }),
  );
  const shown: any = await response.json();
  return { status: response.status, body: shown, code: shown.issues?.[0]?.code };
}

const formOf = (parts: Record<string, string | File>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  return form;
};
const raw = (text: string) => ({
  body: text.replaceAll("\n", "\r\n"),
  headers: { "Content-Type": "multipart/form-data; boundary=edge" },
});
const head = `--edge\nContent-Disposition: form-data; name="file"; filename="a.txt"\n`;

test("the file of a form is attached under its name, whatever the part is called", async () => {
  const { user, card } = await start(app());
  const path = `/cards/${card}/attachments`;
  const bytes = Buffer.concat([png, Buffer.from("\r\n--edge\r\n".repeat(40_000))]);
  const { status, body } = await post(user, path, formOf({ data: new File([bytes], "Größe.png") }));
  expect({ status, ...body }).toMatchObject({
    status: 200,
    filename: "Größe.png",
    contentType: "image/png",
  });
  expect((await download(app(), user, body.publicId)).bytes).toEqual(bytes);
  const file = new File(["x"], "x");
  const named = await post(user, path, formOf({ filename: "y.txt", file }));
  expect(named.body.filename).toBe("y.txt");
  const inQuery = await post(user, `${path}?filename=z.txt`, formOf({ file }));
  expect(inQuery.body.filename).toBe("z.txt");
  const object = await post(
    user,
    path,
    formOf({ file: new File(["{}"], "note.txt", { type: "application/json" }) }),
  );
  expect(object.status).toBe(200);
});

test.each([
  ["has no file", raw("--edge--\n")],
  [
    "has text instead of a file",
    raw(`--edge\nContent-Disposition: form-data; name="file"\n\n#<File>\n--edge--\n`),
  ],
  ["has two files", raw(`${head}\none\n${head}\ntwo\n--edge--\n`)],
  ["is cut off in its file", raw(`${head}\nhalf of`)],
  ["is cut off in a header", raw(head)],
  ["is empty", raw("")],
  ["is no form", raw("hello")],
  [
    "has headers that are too long",
    raw(head.replace("\n", `\nX: ${"x".repeat(100_000)}\n`) + "\none\n--edge--\n"),
  ],
  ["has no boundary", { body: "x", headers: { "Content-Type": "multipart/form-data" } }],
])("a form that %s is 400, and nothing is stored", async (_what, { body, headers }) => {
  const { user, card } = await start(app());
  const before = await stored(app());
  const reply = await post(user, `/cards/${card}/attachments`, body, headers);
  expect([reply.status, reply.code]).toEqual([400, "form_invalid"]);
  expect((await user.rest.get(`/cards/${card}`)).body.attachments).toEqual([]);
  expect(await stored(app())).toEqual(before);
});

test("a body of JSON is a file only under a name that ends in .json", async () => {
  const { user, card } = await start(app());
  const path = `/cards/${card}/attachments?filename=`;
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  const refused = await post(user, `${path}plan.pdf`, "{}", headers);
  expect([refused.status, refused.code]).toEqual([415, "file_is_json"]);
  expect((await post(user, `${path}data.JSON`, "{}", headers)).status).toBe(200);
});

test("every operation whose body is bytes takes a form too, and the document says so", async () => {
  const home = await makeWorkspace(app());
  const { body: document } = await home.admin.rest.get("/openapi.json");
  const uploads = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.values<any>(methods).flatMap(({ requestBody }) =>
      requestBody?.content["application/octet-stream"] === undefined ? [] : [[path, requestBody]],
    ),
  );
  expect(uploads.map(([path]) => path).toSorted()).toEqual([
    "/cards/{cardPublicId}/attachments",
    "/imports/csv",
    "/imports/csv/preview",
    "/imports/trello/file",
    "/imports/workspace",
  ]);
  for (const [, { content }] of uploads) expect(content).toHaveProperty(["multipart/form-data"]);
  const text = JSON.stringify(board({ lists: [list(1)] }));
  const file = () => formOf({ file: new File([text], "board.json", { type: "application/json" }) });
  const trello = await post(
    home.admin,
    `/imports/trello/file?workspacePublicId=${home.publicId}`,
    file(),
  );
  expect(trello.status).toBe(200);
  const workspace = await post(home.admin, "/imports/workspace", file());
  expect([workspace.status, workspace.code]).toEqual([400, "unrecognized_keys"]);
});
