import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { sweepScratch } from "../../src/platform/db/scratch.ts";

/** The file system of Linux that is in memory. */
const inMemory = "/dev/shm";

/** What a server of the tests may need. */
const bytesPerServer = 2 * 2 ** 30;

/**
 * The directory for the data of the tests' servers: `TEST_DATABASES`, or memory if there is enough.
 *
 * Tests create and drop many databases: on a disk the kernel needs more time for their files.
 */
export async function databaseDirectory(servers: number): Promise<string> {
  const given = process.env["TEST_DATABASES"] || undefined;
  for (const parent of [tmpdir(), inMemory, given])
    if (parent !== undefined && existsSync(parent)) await sweepScratch(parent);
  return given ?? ((await freeMemory()) >= servers * bytesPerServer ? inMemory : tmpdir());
}

const freeMemory = async (): Promise<number> =>
  existsSync(inMemory)
    ? statfs(inMemory).then(({ bavail, bsize }) => Math.min(bavail * bsize, freemem()))
    : 0;
