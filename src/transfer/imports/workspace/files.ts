import { fileBytes } from "../../../domain/attachments/quota.ts";
import { peek, typeOf } from "../../../domain/attachments/type.ts";
import type { Items } from "../../exports/format.ts";
import { expectFiles } from "../files.ts";
import type { ImportRun } from "../context.ts";
import { findIn, type Bringing } from "./target.ts";
import type { filesOf } from "./archive-reader.ts";

/** A file in our storage, and what it is. */
export type Kept = { storageKey: string; size: number; contentType: string };

/** Puts the files of an archive into our storage; answers them by their names. They go when the import ends: whatever they hang on has one of its own. */
export async function keepFiles(
  run: ImportRun,
  files: ReturnType<typeof filesOf>,
  kept: () => void,
): Promise<Map<string, Kept>> {
  const all = new Map<string, Kept>();
  for await (const { name, bytes } of files) {
    const [storageKey = ""] = await run.step((tx) => expectFiles(tx, run.row));
    const { bytes: through, head } = peek(bytes);
    const { size } = await run.deps.files.put(storageKey, through, fileBytes);
    all.set(name, { storageKey, size, contentType: await typeOf(head(), anyText) });
    kept();
  }
  return all;
}

const anyText = "text/plain";

/** Makes files of their own for the attachments of cards that are not here yet; answers them by the attachments' ids. */
export async function filesFor(
  { run, ids, files }: Bringing,
  cards: Items["cards"][],
): Promise<Map<string, Kept>> {
  const own = new Map<string, Kept>();
  const wanted = cards.flatMap(({ publicId: card, attachments }) =>
    attachments.flatMap(({ publicId, kind, contentType, file }) => {
      const kept = kind === "file" ? files.get(file ?? "") : undefined;
      return kept === undefined ? [] : [{ card, publicId, kept, contentType }];
    }),
  );
  if (wanted.length === 0) return own;
  const here = { id: run.row.workspaceId };
  const asked = wanted.map(({ card }) => ids(card));
  const there = await findIn(run.deps.db.read, "cards", here, asked);
  const fresh = wanted.filter(({ card }) => !there.has(ids(card)));
  const keys = await run.step((tx) => expectFiles(tx, run.row, fresh.length));
  for (const [place, { publicId, kept, contentType }] of fresh.entries()) {
    await run.alive();
    const storageKey = keys[place] ?? "";
    await run.deps.files.copy(kept.storageKey, storageKey);
    // Of text the document knows which kind it is.
    const isText = kept.contentType === anyText;
    const type = isText ? await typeOf(new Uint8Array(), contentType) : kept.contentType;
    own.set(publicId, { ...kept, storageKey, contentType: type });
  }
  return own;
}
