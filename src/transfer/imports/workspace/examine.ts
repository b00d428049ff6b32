import { createHash } from "node:crypto";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { fileBytes } from "../../../domain/attachments/quota.ts";
import type { Limits } from "../../../contract/limits.ts";
import { badRequest, conflict } from "../../../platform/errors.ts";
import { tidyUp } from "../force-gc.ts";
import { Check, type Checked } from "./check.ts";
import { partsOf } from "./archive-reader.ts";

/** What is known of a document or an archive that is good. */
export type Examined = Checked & { fileCount: number };

/** Who brings it along, how much there may be of a kind, and how many MiB the files of a workspace may have. */
type For = { email: string; rooms: Limits; quota: number };

/** Reads a document or an archive to its end; 400 when it does not hold together, 409 when its files are too many. */
export async function examine(bytes: AsyncIterable<Uint8Array>, of: For): Promise<Examined> {
  const check = new Check(of);
  const names = new Set<string>();
  let total = 0;
  let checked: Checked | undefined;
  for await (const part of partsOf(bytes)) {
    tidyUp();
    if (part.kind === "piece") {
      check.take(part.piece);
      continue;
    }
    checked ??= check.end();
    if (part.kind === "file") {
      if (names.has(part.name)) throw badRequest(`${part.name} is there twice.`);
      names.add(part.name);
      if (part.size > fileBytes)
        throw badRequest(`${part.name} has more than ${fileBytes} bytes, the most of a file.`);
      // Every attachment has a file of its own here.
      total += part.size * Math.max(1, checked.files.get(part.name) ?? 0);
      if (total > of.quota * 1024 * 1024)
        throw conflict(`The files of a workspace have at most ${of.quota} MiB.`);
      await checkHash(part);
    } else {
      const missing = new Set(part.missing);
      const lacks = [...checked.files.keys()].find(
        (name) => !names.has(name) && !missing.has(name),
      );
      if (lacks !== undefined) throw badRequest(`The archive does not hold ${lacks}.`);
      if (part.files !== names.size)
        throw badRequest(`The archive holds ${names.size} files, its manifest says ${part.files}.`);
    }
  }
  return { ...(checked ?? check.end()), fileCount: names.size };
}

async function checkHash({ name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> }) {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  const said = /^files\/([0-9a-f]{64})$/.exec(name)?.[1];
  if (said !== undefined && hash.digest("hex") !== said)
    throw badRequest(`${name} holds something else: its hash is another.`);
}

/** Lets bytes through while they are examined; they end with what is wrong with them. */
export function examining(source: AsyncIterable<Uint8Array>, of: For) {
  const beside = new PassThrough();
  // What is wrong is told when all of it has come: whoever still sends would not hear it.
  const result = examine(beside.iterator({ destroyOnReturn: false }), of);
  result.catch(() => beside.resume());
  async function* through() {
    for await (const chunk of source) {
      if (!beside.write(chunk)) await Promise.race([once(beside, "drain"), result]);
      yield chunk;
    }
    beside.end();
    await result;
  }
  return { bytes: through(), result };
}
