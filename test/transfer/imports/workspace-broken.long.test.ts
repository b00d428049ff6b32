import { createHash } from "node:crypto";
import { pack } from "tar-stream";
import { describe, expect, test, beforeAll } from "vitest";
import { stored } from "../../domain/attachments/files.ts";
import { minimalDocument } from "../exports/minimal.ts";
import { useApp } from "../../support/app.ts";
import { makeUser, type User } from "../../support/make.ts";
import { send, traces } from "./sending.ts";

const app = useApp({ env: { ATTACHMENTS_QUOTA: "1" } });
let user: User;
beforeAll(async () => {
  user = await makeUser(app());
});

type Any = any;
const whole = JSON.stringify(minimalDocument());

/** The document with one change. */
function but(change: (document: Any) => void): string {
  const document = structuredClone(minimalDocument());
  change(document);
  return JSON.stringify(document);
}

const bytes = Buffer.from("the bytes of a file");
const hash = createHash("sha256").update(bytes).digest("hex");
const attachment = {
  publicId: "attachment01",
  kind: "file",
  filename: "a.txt",
  contentType: "text/plain",
  size: bytes.byteLength,
  sha256: hash,
  file: `files/${hash}`,
  url: null,
  createdAt: "2026-01-31T10:00:00.000Z",
  updatedAt: "2026-01-31T10:00:00.000Z",
};
const attached = but((document) => {
  document.cards[0].attachments.push(attachment);
  document.counts.attachments = 1;
});
const manifest = (files = 1, missing: string[] = []) =>
  `${JSON.stringify({ files, missing, complete: true })}\n`;

type Entry = [name: string, content: string | Buffer, type?: "symlink" | "directory"];

/** A tar archive of these entries. */
async function tar(...entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const [name, content, type] of entries) {
    if (type === undefined) archive.entry({ name }, content);
    else archive.entry({ name, type, linkname: "/etc/passwd" });
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const good: Entry[] = [
  ["workspace.json", attached],
  [`files/${hash}`, bytes],
  ["manifest.json", manifest()],
];

async function refused(what: string | Uint8Array) {
  const before = [await traces(app()), await stored(app())];
  const { status, body } = await send(app(), user, what);
  expect([await traces(app()), await stored(app())]).toEqual(before);
  expect(status).toBe(400);
  const [issue] = body.issues;
  return `${(issue.path ?? []).join(".")}: ${issue.message}`;
}

test("the documents that the tests break are valid", async () => {
  expect((await send(app(), user, whole)).status).toBe(200);
  expect((await send(app(), user, attached)).status).toBe(200);
  expect((await send(app(), user, await tar(...good))).status).toBe(200);
  expect((await send(app(), user, `\uFEFF ${whole}\n`)).status).toBe(200);
  expect((await send(app(), user, JSON.stringify(JSON.parse(whole), null, 2))).status).toBe(200);
});

describe("an invalid document is 400, names the fault and its position, and stores nothing", () => {
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["nothing", "", /: The body is empty/],
    ["white space", "  \n", /neither an exported workspace/],
    ["text", "hello", /neither an exported workspace/],
    ["a web page", "<!doctype html><p>Sign in", /: This is a web page/],
    ["a compressed file", Buffer.from("1f8b0800000000000000", "hex"), /unpack it first/],
    ["a list", `[${whole}]`, /neither an exported workspace/],
    [
      "JSON that breaks",
      `${whole.slice(0, 500)}}}`,
      /: The document is not JSON: it is invalid at byte \d+/,
    ],
    ["other JSON", '{"name":"Board"}', /name: Unknown field/],
    [
      "another format",
      but((d) => (d.format = "trello")),
      /format: This is not an exported workspace/,
    ],
    [
      "another version",
      but((d) => (d.version = 2)),
      /version: This service does not read this version/,
    ],
    ["two documents", whole + whole, /: The document is not JSON/],
    [
      "a field that is not known",
      but((d) => (d.cards[0].colour = "red")),
      /cards\.0\.colour: Unknown field/,
    ],
    [
      "parts in another order",
      but((d) => {
        const { roles } = d;
        delete d.roles;
        d.roles = roles;
      }),
      /members: Expected the section roles/,
    ],
    [
      "a part that is there twice",
      whole.replace('"complete"', '"counts":{},"complete"'),
      /counts: Expected the section complete/,
    ],
    [
      "a part that is no list",
      whole.replace('"cards":[', '"cards":{"a":[').replace('],"counts"', ']},"counts"'),
      /cards: Must be an array/,
    ],
    ["no end", whole.replace(',"complete":true', ""), /: The document has no complete/],
    ["an end that is false", whole.replace('"complete":true', '"complete":false'), /complete: /],
    ["other counts", but((d) => (d.counts.cards = 3)), /counts\.cards: The document contains 2/],
    ["a missing field", but((d) => delete d.workspace.name), /workspace\.name: /],
    ["null for a name", but((d) => (d.boards[0].name = null)), /boards\.0\.name: /],
    ["a number for a title", but((d) => (d.cards[1].title = 7)), /cards\.1\.title: /],
    ["a text instead of a card", but((d) => (d.cards[1] = "card")), /cards\.1: /],
    [
      "a name of 10,000 characters",
      but((d) => (d.boards[0].lists[0].name = "x".repeat(10_000))),
      /boards\.0\.lists\.0\.name: The text must have at most 255/,
    ],
    [
      "a title of spaces",
      but((d) => (d.cards[0].title = "  ")),
      /cards\.0\.title: Must not be empty/,
    ],
    ["a NUL", but((d) => (d.cards[0].title = "a\0b")), /cards\.0\.title: The text contains a NUL/],
    [
      "half a character",
      whole.replace('"Card 1"', String.raw`"\ud800"`),
      /cards\.0\.title: The text contains a NUL character or an unpaired/,
    ],
    ["an invalid date", but((d) => (d.cards[0].dueDate = "tomorrow")), /cards\.0\.dueDate: /],
    ["a number too large", but((d) => (d.cards[0].number = 3_000_000_000)), /cards\.0\.number: /],
    [
      "an id twice",
      but((d) => (d.cards[1].publicId = d.cards[0].publicId)),
      /cards\.1\.publicId: Another resource has this id/,
    ],
    [
      "a number twice",
      but((d) => (d.cards[1].aliases = [1])),
      /cards\.1: The number 1 is used twice/,
    ],
    [
      "a list that is not there",
      but((d) => (d.cards[0].listPublicId = "list00000009")),
      /cards\.0\.listPublicId: The document contains no such resource/,
    ],
    [
      "a list that is a board",
      but((d) => (d.cards[0].listPublicId = "board0000001")),
      /cards\.0\.listPublicId: The document contains no such resource/,
    ],
    [
      "a label that is not there",
      but((d) => (d.cards[0].labelPublicIds = ["label0000009"])),
      /cards\.0\.labelPublicIds: The document contains no such/,
    ],
    [
      "a label twice",
      but((d) => (d.cards[0].labelPublicIds = ["label0000001", "label0000001"])),
      /cards\.0\.labelPublicIds: An id is repeated/,
    ],
    [
      "a member who is not there",
      but((d) => (d.cards[0].memberPublicIds = ["member000009"])),
      /cards\.0\.memberPublicIds: The document contains no such/,
    ],
    [
      "a role that is not there",
      but((d) => (d.members[0].rolePublicId = "rolerole0009")),
      /members\.0\.rolePublicId: The document contains no such/,
    ],
    [
      "two members of one address",
      but((d) => {
        d.members.push({ ...d.members[0], publicId: "member000002" });
        d.counts.members = 2;
      }),
      /members\.1\.email: Another member has this email address/,
    ],
    ["an invalid address", but((d) => (d.members[0].email = "invalid")), /members\.0\.email: /],
    [
      "a permission that there is not",
      but((d) => (d.roles[0].permissions = ["card:eat"])),
      /roles\.0\.permissions\.0: /,
    ],
    [
      "an admin of its own making",
      but((d) => ((d.roles[0].name = "admin"), (d.roles[0].isSystem = false))),
      /roles\.0\.isSystem: The system roles are/,
    ],
    [
      "a label of another board",
      but((d) => {
        const other = structuredClone(d.boards[0]);
        Object.assign(other, { publicId: "board0000002", lists: [] });
        other.labels[0].publicId = "label0000002";
        d.boards.push(other);
        Object.assign(d.counts, { boards: 2, labels: 2 });
        d.cards[0].labelPublicIds = ["label0000002"];
      }),
      /cards\.0\.labelPublicIds: The label belongs to another board/,
    ],
    [
      "an invalid colour",
      but((d) => (d.boards[0].labels[0].colourCode = "red")),
      /boards\.0\.labels\.0\.colourCode: /,
    ],
    [
      "a type that breaks headers",
      attached.replace("text/plain", String.raw`text/plain\r\nX: y`),
      /attachments\.0\.contentType: Must be a type/,
    ],
    [
      "a file by another name",
      attached.replace(`files/${hash}`, "files/aaaaaaaaaaaa"),
      /attachments\.0\.file: Must be files\/ and the SHA-256/,
    ],
    [
      "a file that climbs",
      attached.replace(`files/${hash}`, "files/../../secret"),
      /attachments\.0\.file: Must be files\//,
    ],
    [
      "a field with a list of numbers without end",
      `{"format":[1${",1".repeat(500_000)}]}`,
      /^format: An item has too many values/,
    ],
    ["depth", `{"format":${"[".repeat(200)}`, /: The document is nested too deeply/],
  ];

  test.each(cases)("%s", async (_, what, says) => {
    expect(await refused(what)).toMatch(says);
  });

  test("cut off anywhere", async () => {
    for (let at = 1; at < whole.length; at += 97) {
      expect(await refused(whole.slice(0, at))).toMatch(/cut off|not JSON/);
    }
  });
});

describe("an invalid archive is 400 and stores nothing", () => {
  const cases: [string, Entry[], RegExp][] = [
    ["without a document", [["manifest.json", manifest(0)]], /must start with workspace\.json/],
    [
      "with two documents",
      [
        ["workspace.json", whole],
        ["workspace.json", whole],
      ],
      /must start with workspace\.json/,
    ],
    ["without a manifest", good.slice(0, 2), /: The archive is cut off/],
    [
      "with a manifest of other numbers",
      [...good.slice(0, 2), ["manifest.json", manifest(2)]],
      /has 1 files, but its manifest says 2/,
    ],
    [
      "with an invalid manifest",
      [...good.slice(0, 2), ["manifest.json", "[]"]],
      /The manifest is invalid/,
    ],
    [
      "with something behind it",
      [...good, [`files/${hash}`, bytes]],
      /continues after its manifest/,
    ],
    [
      "without a file",
      [good[0] ?? ["", ""], ["manifest.json", manifest(0)]],
      new RegExp(`does not contain files/${hash}`),
    ],
    [
      "with a file twice",
      [good[0] ?? ["", ""], good[1] ?? ["", ""], good[1] ?? ["", ""]],
      /contains files\/[0-9a-f]+ twice/,
    ],
    [
      "with other bytes",
      [good[0] ?? ["", ""], [`files/${hash}`, "other bytes"]],
      /does not match the SHA-256 in its name/,
    ],
    [
      "with a name of its own",
      [good[0] ?? ["", ""], ["../../etc/passwd", "x"]],
      /The archive may not contain/,
    ],
    ["with a link", [good[0] ?? ["", ""], [`files/${hash}`, "", "symlink"]], /is not a file/],
    [
      "with a file that no attachment has",
      [good[0] ?? ["", ""], ["files/0123456789ab", "x"]],
      /The document has no attachment for files\/0123456789ab/,
    ],
    [
      "with a broken document",
      [["workspace.json", whole.slice(0, 300)]],
      /The document is cut off/,
    ],
  ];

  test.each(cases)("%s", async (_, entries, says) => {
    expect(await refused(await tar(...entries))).toMatch(says);
  });

  test("cut off anywhere", async () => {
    const archive = await tar(...good);
    // Behind the manifest there is only what an archive is filled up with.
    const end = archive.indexOf('complete":true}\n', archive.indexOf("manifest.json"));
    for (let at = 1; at < end; at += 211)
      expect(await refused(archive.subarray(0, at))).toMatch(/cut off|invalid|neither/);
  });

  /** Headers of a tar archive with a content, such as extended attributes. */
  const extended = (kind: string, content: string, size = content.length.toString(8)) => {
    const header = Buffer.alloc(512);
    for (const [at, text] of [
      [0, "attributes"],
      [124, size.padStart(11, "0")],
      [148, " ".repeat(8)],
      [156, kind],
      [257, "ustar\x0000"],
    ] as const)
      header.write(text, at);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(sum.toString(8).padStart(6, "0"), 148);
    const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    padded.write(content);
    return Buffer.concat([header, padded]);
  };

  test.each([
    ["of many attributes", extended("g", "9 a=1234\n".repeat(10_000)), /more than 8192 bytes/],
    ["with a long name", extended("L", "a".repeat(10_000)), /more than 8192 bytes/],
    ["that set sizes", extended("x", "10 size=1\n"), /sets file sizes in extended headers/],
    ["without a size", extended("0", "x", "x"), /header of the archive is invalid/],
  ])("headers %s, before they are parsed", async (_, header, says) => {
    expect(await refused(Buffer.concat([header, await tar(...good)]))).toMatch(says);
  });

  test("headers of few attributes are accepted", async () => {
    const header = extended("x", "13 comment=a\n");
    expect((await send(app(), user, Buffer.concat([header, await tar(...good)]))).status).toBe(200);
  });

  test("files that the storage has lost already cause no failure", async () => {
    const lost = await tar(
      ["workspace.json", attached],
      ["manifest.json", manifest(0, [`files/${hash}`])],
    );
    expect((await send(app(), user, lost)).status).toBe(200);
  });

  test("more files than a workspace may have are 409", async () => {
    const large = Buffer.alloc(1_100_000, 97);
    const name = `files/${createHash("sha256").update(large).digest("hex")}`;
    const before = await traces(app());
    const { status, body } = await send(
      app(),
      user,
      await tar(["workspace.json", whole], [name, large]),
    );
    expect([status, body.issues[0].message]).toEqual([
      409,
      "The files of a workspace have at most 1 MiB.",
    ]);
    expect(await traces(app())).toEqual(before);
  });

  test("one file for more attachments than a workspace has space for is 409 too", async () => {
    const large = Buffer.alloc(400_000, 97);
    const sha256 = createHash("sha256").update(large).digest("hex");
    const ids = ["0attached001", "0attached002", "0attached003"];
    const shared = but((document) => {
      document.cards[0].attachments = ids.map((publicId) => ({
        ...attachment,
        publicId,
        size: large.length,
        sha256,
        file: `files/${sha256}`,
      }));
      document.counts.attachments = ids.length;
    });
    const entries: Entry[] = [
      ["workspace.json", shared],
      [`files/${sha256}`, large],
      ["manifest.json", manifest()],
    ];
    const { status, body } = await send(app(), user, await tar(...entries));
    expect([status, body.issues?.[0].message]).toEqual([
      409,
      "The files of a workspace have at most 1 MiB.",
    ]);
  });
});

test("a long list of invalid items is reported by its first item only", async () => {
  const bad = but((document) => {
    document.cards[0].comments = Array.from({ length: 50_000 }, () => ({}));
  });
  const { status, body } = await send(app(), user, bad);
  expect(status).toBe(400);
  const paths = body.issues.map(({ path }: Any) => path.slice(0, 4).join("."));
  expect(new Set(paths)).toEqual(new Set(["cards.0.comments.0"]));
});

test("an item of too many parts is 400 before it was received completely", async () => {
  const [before = "", after = ""] = but((document) => {
    document.cards[0].comments = ["here"];
  }).split('"here"');
  const bad = `${before}${"{},".repeat(3_500_000)}{}${after}`;
  expect(await refused(bad)).toBe("cards: An item has too many values.");
});

test("an item of many values in few bytes is 400, and parallel uploads of it delay no other call", async () => {
  const start = `{"format":"workspace-board-service/workspace","version":1,"exportedAt":"2026-01-31T10:00:00.000Z","workspace":`;
  const { workspace } = JSON.parse(whole);
  const bad = `${start}${JSON.stringify(workspace)},"roles":[{"x":[${"{},".repeat(1_000_000)}{}`;
  // Two are examined at a time, and four wait.
  const sent = await Promise.all(Array.from({ length: 6 }, () => send(app(), user, bad)));
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 400));
  const messages = sent.map(({ body }) => body.issues[0].message);
  expect(new Set(messages)).toEqual(new Set(["An item has too many values."]));
});
