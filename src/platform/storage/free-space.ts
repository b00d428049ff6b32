import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import { Failure, unavailable } from "../errors.ts";
import { codeOf } from "../error-code.ts";

/** The bytes that files leave free on their disk. */
export const minFreeBytes = ({ MIN_FREE_SPACE }: Pick<Config, "MIN_FREE_SPACE">): number =>
  MIN_FREE_SPACE * 1024 * 1024;

/** The bytes that are free on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** 503 when a disk has less than `minFree` bytes: the database may be there too. */
export async function checkFreeSpace(directory: string, minFree: number): Promise<void> {
  if (minFree > 0 && (await freeBytes(directory)) < minFree) throw storageFull();
}

/** 503: a file cannot be stored. */
export const storageFull = () =>
  unavailable("storage_full", "The service has too little free disk space for files.");

/** Whether an error says that the disk is full. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Failure && error.issues[0]?.code === "storage_full";

/** Whether the system refused a write for lack of space. */
export const isOutOfSpace = (error: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(codeOf(error));
