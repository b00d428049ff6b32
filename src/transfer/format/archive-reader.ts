import { Readable } from "node:stream";
import { extract } from "tar-stream";
import { z } from "zod";
import { badRequest, Failure } from "../../platform/errors.ts";
import { noRepairs, readable, startOf, type Repairs } from "../../platform/json/readable.ts";
import { documentName, manifestName } from "./workspace.ts";
import { chunksOf } from "./bytes.ts";
import { sectionsOf, type Section } from "./sections.ts";
import { firstSize, TarGuard } from "./tar-guard.ts";

/** A part of a document or archive: sections, then files, then the manifest. Read a file first. */
export type Part =
  | { kind: "section"; section: Section }
  | { kind: "file"; name: string; size: number; bytes: AsyncIterable<Uint8Array> }
  | { kind: "manifest"; missing: string[]; files: number };

type Entry = ReturnType<typeof extract> extends AsyncIterable<infer One> ? One : never;

const Manifest = z.strictObject({
  files: z.int().min(0),
  missing: z.array(z.string()),
  complete: z.literal(true),
});
const largestManifest = 16 * 1024 * 1024;
const magic = { at: 257, is: "ustar" };

/**
 * Reads a document or an archive; 400 for anything else, and for an incomplete one.
 *
 * `repairs` gets what was changed in the text of the document to read it.
 */
export async function* archiveParts(
  bytes: AsyncIterable<Uint8Array>,
  repairs: Repairs = noRepairs(),
): AsyncGenerator<Part> {
  const { head, all, close } = await headOf(bytes, magic.at + magic.is.length);
  try {
    if (isArchive(head)) yield* archived(all, repairs);
    else if (/^\s*(?:\{|\/\/)/.test(startOf(head))) yield* sections(all, repairs);
    else throw unknown(head.toString("latin1"));
  } finally {
    await close();
  }
}

/** The bytes of the document in a file of `size` bytes, by its first bytes. */
export const documentBytes = (head: Uint8Array, size: number): number =>
  isArchive(Buffer.from(head)) ? Math.min(firstSize(head), size) : size;

/** Reads the files of an archive. A document alone has no files. */
export async function* filesOf(bytes: AsyncIterable<Uint8Array>) {
  const { head, all, close } = await headOf(bytes, magic.at + magic.is.length);
  try {
    if (!isArchive(head)) return;
    for await (const part of archived(all, null)) if (part.kind === "file") yield part;
  } finally {
    await close();
  }
}

const isArchive = (head: Buffer) => head.toString("latin1").startsWith(magic.is, magic.at);

function unknown(start: string): Failure {
  if (start === "")
    return badRequest("file_empty", "The body is empty. Send the exported workspace.");
  if (/^\s*</.test(start))
    return badRequest("file_unreadable", "This is a web page, not an exported workspace.");
  if (start.startsWith("\x1f\x8b"))
    return badRequest("file_unreadable", "The file is compressed: unpack it first.");
  return badRequest(
    "file_unreadable",
    "This is neither an exported workspace nor an archive of one.",
  );
}

async function* sections(bytes: AsyncIterable<Uint8Array>, repairs: Repairs): AsyncGenerator<Part> {
  for await (const section of sectionsOf(readable(bytes, repairs)))
    yield { kind: "section", section };
}

/** Reads an archive; without `repairs` its document is not read. */
async function* archived(
  bytes: AsyncIterable<Uint8Array>,
  repairs: Repairs | null,
): AsyncGenerator<Part> {
  const reading = extract();
  const source = Readable.from(guarded(bytes));
  source.on("error", (error) => reading.destroy(error));
  source.pipe(reading);
  let last = "";
  try {
    for await (const entry of reading) {
      if (last === manifestName)
        throw badRequest("file_unreadable", "The archive continues after its manifest.");
      if (repairs !== null || entry.header.name !== documentName)
        yield* entryOf(entry, last, repairs ?? noRepairs());
      last = entry.header.name;
      entry.resume();
    }
  } catch (error) {
    throw archiveFailure(error);
  } finally {
    source.destroy();
  }
  if (last !== manifestName)
    throw badRequest("file_unreadable", "The archive is cut off: it has no manifest.");
}

async function* guarded(bytes: AsyncIterable<Uint8Array>) {
  const guard = new TarGuard();
  for await (const chunk of bytes) {
    guard.accept(chunk);
    yield chunk;
  }
}

async function* entryOf(entry: Entry, last: string, repairs: Repairs): AsyncGenerator<Part> {
  const { name, type, size } = entry.header;
  if (type !== "file") throw badRequest("file_unreadable", `${quoted(name)} is not a file.`);
  if ((last === "") !== (name === documentName)) {
    throw badRequest(
      "file_unreadable",
      `The archive must start with ${documentName}, and contain it once.`,
    );
  }
  if (name === documentName) yield* sections(contentOf(entry), repairs);
  else if (name === manifestName) yield await manifestOf(entry, size);
  else if (/^files\/[0-9a-z]{12,64}$/.test(name))
    yield { kind: "file", name, size, bytes: contentOf(entry) };
  else throw badRequest("file_unreadable", `The archive may not contain ${quoted(name)}.`);
}

async function manifestOf(entry: Entry, size: number): Promise<Part> {
  if (size > largestManifest) throw badRequest("file_unreadable", "The manifest is too large.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of contentOf(entry)) chunks.push(chunk);
  try {
    const { files, missing } = Manifest.parse(JSON.parse(Buffer.concat(chunks).toString()));
    return { kind: "manifest", files, missing };
  } catch {
    throw badRequest("file_unreadable", "The manifest is invalid.");
  }
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 100));

/** The content of an entry; its reader gets the failure of the archive. */
async function* contentOf(entry: Entry) {
  try {
    yield* chunksOf(entry);
  } catch (error) {
    throw archiveFailure(error);
  }
}

/** 400 for a failure of the archive reader; other errors are passed on. */
function archiveFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const isDamage = /\btar\b|header|^Unexpected end of data|^Writable stream closed/i.test(
    error.message,
  );
  return isDamage
    ? badRequest("file_unreadable", `The archive is invalid or cut off: ${error.message}.`)
    : error;
}

/** The first bytes, and all bytes. `close` closes the source. */
async function headOf(bytes: AsyncIterable<Uint8Array>, size: number) {
  const source = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const { done, value } = await source.next();
    if (done === true) break;
    chunks.push(value);
    length += value.byteLength;
  }
  async function* all() {
    yield* chunks.splice(0);
    for (let next = await source.next(); next.done !== true; next = await source.next())
      yield next.value;
  }
  const close = async () => void (await source.return?.());
  return { head: Buffer.concat(chunks), all: all(), close };
}
