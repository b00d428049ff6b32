import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** What a backup has: the last file that is written into it. */
export const Manifest = z.strictObject({
  /** The form of the folder. */
  format: z.literal(1),
  /** The version of the service that wrote it. */
  version: z.string(),
  /** When its snapshot was taken: ISO 8601. */
  takenAt: z.iso.datetime(),
  /** The migrations that its tables have. */
  migrations: z.array(z.string()),
  /** The rows of each table. */
  tables: z.record(z.string(), z.int()),
  /** How many files it has; null without files. */
  files: z.int().nullable(),
  /** The keys of files that the storage did not have. */
  missingFiles: z.array(z.string()),
});

export type Manifest = z.infer<typeof Manifest>;

const fileIn = (folder: string) => join(folder, "manifest.json");

/** Where a backup has a table, compressed, in the text format of COPY. */
export const tableFile = (folder: string, table: string): string =>
  join(folder, "tables", `${table}.copy.gz`);
/** Where a backup has the file with a key. */
export const storedFile = (folder: string, key: string): string => join(folder, "files", key);
/** Where a backup has the secret of a data directory. */
export const secretFile = (folder: string): string => join(folder, "app-secret");

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(fileIn(folder), `${JSON.stringify(manifest, null, 2)}\n`);

/** Reads what a backup has. Throws for a folder that is none, or not a complete one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(fileIn(folder), "utf8").catch(() => {
    throw new Error(`${folder} is no complete backup: it has no manifest.json.`);
  });
  const read = Manifest.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  throw new Error(`${folder} is a backup of another form: ${z.prettifyError(read.error)}`);
}
