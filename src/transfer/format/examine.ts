import { createHash } from "node:crypto";
import { fileBytes } from "../../domain/attachments/quota.ts";
import type { Limits } from "../../contract/limits.ts";
import { badRequest, conflict } from "../../platform/errors.ts";
import { Check, type Checked } from "./check.ts";
import { parseTask } from "../../platform/parsing/pool.ts";
import { archiveParts } from "./archive-reader.ts";

/** What an examination learns about a valid document or archive. */
export type Examined = Omit<Checked, "files"> & { fileCount: number; fileBytes: number };

/** The importer, the limits of a workspace, and the quota of its files in MiB. */
type Options = { email: string; limits: Limits; quota: number };

/**
 * Reads a document or an archive to its end; 400 when it is invalid, 409 when it is too large. Runs
 * in a thread.
 */
export async function* examine(
  bytes: AsyncIterable<Uint8Array>,
  options: Options,
): AsyncGenerator<Examined> {
  const check = new Check(options);
  const names = new Set<string>();
  let total = 0;
  let storedBytes = 0;
  let checked: Checked | undefined;
  for await (const part of archiveParts(bytes)) {
    if (part.kind === "section") {
      check.take(part.section);
      continue;
    }
    checked ??= check.end();
    if (part.kind === "file") {
      if (names.has(part.name))
        throw badRequest("document_invalid", `The archive contains ${part.name} twice.`);
      names.add(part.name);
      if (part.size > fileBytes)
        throw badRequest("document_invalid", `${part.name} is larger than ${fileBytes} bytes.`);
      storedBytes += part.size;
      // Each attachment gets a file of its own.
      total += part.size * Math.max(1, checked.files.get(part.name) ?? 0);
      if (total > options.quota * 1024 * 1024)
        throw conflict(
          "quota_exceeded",
          `The files of a workspace have at most ${options.quota} MiB.`,
        );
      if (!checked.files.has(part.name))
        throw badRequest("document_invalid", `The document has no attachment for ${part.name}.`);
      await checkHash(part);
    } else {
      const missing = new Set(part.missing);
      const lacks = [...checked.files.keys()].find(
        (name) => !names.has(name) && !missing.has(name),
      );
      if (lacks !== undefined)
        throw badRequest("document_invalid", `The archive does not contain ${lacks}.`);
      if (part.files !== names.size)
        throw badRequest(
          "document_invalid",
          `The archive has ${names.size} files, but its manifest says ${part.files}.`,
        );
    }
  }
  const { files: _, ...examined } = checked ?? check.end();
  yield { ...examined, fileCount: names.size, fileBytes: storedBytes };
}

/** Examines a document or an archive. */
export const examineTask = parseTask(import.meta.url, "The file", { examine });

async function checkHash({ name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> }) {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  const expected = /^files\/([0-9a-f]{64})$/.exec(name)?.[1];
  if (expected !== undefined && hash.digest("hex") !== expected)
    throw badRequest(
      "document_invalid",
      `${name} does not match the SHA-256 in its name: it was changed or damaged.`,
    );
}
