import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStorageAddress } from "../../../src/platform/storage-address.ts";
import { diskFiles } from "../../../src/platform/storage/disk.ts";
import { newStorageKey } from "../../../src/platform/storage/store.ts";
import { readConfig } from "../../../src/platform/config.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const textOf = async (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

const start = async () => {
  const root = join(await temporaryDirectory(), "files");
  const all = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((one) => one.isFile())
      .map(({ name }) => name);
  return { root, files: diskFiles(root, 0), all };
};

describe("files on the local disk", () => {
  test("are read as they were stored, whole and in part", async () => {
    const { files } = await start();
    const key = newStorageKey();
    expect(await files.put(key, bytes("hello ", "world"), 11)).toEqual({
      size: 11,
      sha256: "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
    });
    expect(await textOf(await files.get(key))).toBe("hello world");
    expect(await textOf(await files.get(key, { start: 4, end: 6 }))).toBe("o w");
  });

  test("are their owner's alone", async () => {
    const { root, files, all } = await start();
    const key = newStorageKey();
    await files.put(key, bytes("x"), 1);
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, key.slice(0, 2), key))).mode & 0o777).toBe(0o600);
    expect(await all()).toEqual([key]);
  });

  test("do not count before they are whole, and leave nothing when they never are", async () => {
    const { files, all } = await start();
    const key = newStorageKey();
    let half: string[] = [];
    const source = async function* () {
      yield* bytes("begun");
      await expect(files.get(key)).rejects.toThrow("ENOENT");
      half = await all();
      throw new Error("gone");
    };
    await expect(files.put(key, source(), 100)).rejects.toThrow("gone");
    expect(half).toEqual([key]);
    await expect(files.put(key, bytes("too", "long"), 6)).rejects.toMatchObject({
      failure: "PAYLOAD_TOO_LARGE",
    });
    expect(await all()).toEqual([]);
    await expect(files.get(key)).rejects.toThrow("ENOENT");
  });

  test("are never written over", async () => {
    const { root, files, all } = await start();
    const key = newStorageKey();
    await mkdir(join(root, "incoming"), { recursive: true });
    await writeFile(join(root, "incoming", key), "half");
    await expect(files.put(key, bytes("x"), 1)).rejects.toThrow("EEXIST");
    await files.remove(key);
    expect(await all()).toEqual([]);
  });

  test("can be copied, and are deleted independently", async () => {
    const { files } = await start();
    const [one, other] = [newStorageKey(), newStorageKey()];
    await files.put(one, bytes("same"), 4);
    await files.copy(one, other);
    await files.remove(one);
    await files.remove(one);
    expect(await textOf(await files.get(other))).toBe("same");
    await expect(files.copy(one, newStorageKey())).rejects.toThrow("ENOENT");
  });

  test("are read, written and removed only by keys of the service", async () => {
    const { root, files } = await start();
    await mkdir(root, { recursive: true });
    await writeFile(join(root, "secret"), "s");
    for (const key of [
      "../secret",
      "secret",
      "",
      `${newStorageKey()}/..`,
      newStorageKey().toUpperCase() + "A",
    ]) {
      await expect(async () => files.get(key)).rejects.toThrow("Invalid storage key");
      await expect(async () => files.remove(key)).rejects.toThrow("Invalid storage key");
      await expect(async () => files.put(key, bytes("x"), 1)).rejects.toThrow(
        "Invalid storage key",
      );
    }
    expect(await readFile(join(root, "secret"), "utf8")).toBe("s");
  });

  test("ping fails when the directory cannot be one", async () => {
    const { root, files } = await start();
    await files.ping();
    await writeFile(join(root, "file"), "");
    await expect(diskFiles(join(root, "file", "under"), 0).ping()).rejects.toThrow("ENOTDIR");
  });
});

describe("STORAGE_URL", () => {
  test("names a directory or a bucket", () => {
    expect(readStorageAddress("file:/var/lib/boards%20here")).toEqual({
      kind: "disk",
      root: "/var/lib/boards here",
    });
    expect(readStorageAddress("file:///srv/files")).toEqual({ kind: "disk", root: "/srv/files" });
    expect(
      readStorageAddress("s3://AKID:a%2Fb%2Bc@s3.example.com/my-bucket?region=eu-west-1"),
    ).toEqual({
      kind: "s3",
      url: "https://s3.example.com/my-bucket",
      region: "eu-west-1",
      accessKeyId: "AKID",
      secretAccessKey: "a/b+c",
    });
    expect(readStorageAddress("s3://k:s@127.0.0.1:9000/bucket/?tls=false")).toMatchObject({
      url: "http://127.0.0.1:9000/bucket",
      region: "us-east-1",
    });
  });

  test.each([
    "nonsense",
    "https://example.com/bucket",
    "file://host/path",
    "s3://host/bucket",
    "s3://key@host/bucket",
    "s3://key:hushhush@host",
    "s3://key:hushhush@host/a/b",
    "s3://key:hushhush@host/Bucket",
    "s3://key:%zz@host/bucket",
    "s3://key:hushhush@host/bucket?tls=maybe",
    "s3://key:hushhush@host/bucket?regoin=x",
  ])("%s fails at start without revealing the secret", (STORAGE_URL) => {
    const read = () => readConfig({ STORAGE_URL });
    expect(read).toThrow(/STORAGE_URL: (must|has)/);
    expect(read).not.toThrow(/hushhush/);
  });
});
