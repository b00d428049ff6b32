import { noRepairs, type Repairs } from "../../platform/json/readable.ts";
import { parse, parseTask } from "../../platform/parsing/pool.ts";
import { archiveParts, filesOf } from "./archive-reader.ts";
import type { Section } from "./sections.ts";

/** A section of a document, or at its end what was changed in its text to read it. */
export type SectionRead = { section: Section } | { section: null; repairs: Repairs };

/** Reads the document of a workspace, or of an archive of one. Runs in a thread. */
export async function* readSections(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SectionRead> {
  const repairs = noRepairs();
  for await (const part of archiveParts(bytes, repairs)) {
    if (part.kind !== "section") break;
    yield { section: part.section };
  }
  yield { section: null, repairs };
}

/** Reads the document of a workspace, or of an archive of one. */
export const sectionsTask = parseTask<null, SectionRead>(import.meta.url, "The file", {
  readSections,
});

/** The name of a file, some of its bytes, or its end. */
type FileRead = { name: string } | Uint8Array | null;

/** Reads the files of an archive. Runs in a thread. */
export async function* readFiles(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileRead> {
  for await (const { name, bytes: content } of filesOf(bytes)) {
    yield { name };
    // Copies: a chunk is part of a larger buffer, all of which would be sent.
    for await (const chunk of content) yield new Uint8Array(chunk);
    yield null;
  }
}

const filesTask = parseTask<null, FileRead>(import.meta.url, "The file", { readFiles });

/** A file of an archive. */
export type ArchiveFile = { name: string; bytes: AsyncIterable<Uint8Array> };

/** Reads the files of an archive. Read each to its end before the next. */
export async function* archiveFiles(
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ArchiveFile> {
  const values = parse(filesTask, archive, null, signal);
  async function* content() {
    for (let next = await values.next(); next.done !== true; next = await values.next())
      if (next.value instanceof Uint8Array) yield next.value;
      else return;
  }
  try {
    for (let next = await values.next(); next.done !== true; next = await values.next())
      if (next.value !== null && "name" in next.value)
        yield { name: next.value.name, bytes: content() };
  } finally {
    await values.return(undefined);
  }
}
