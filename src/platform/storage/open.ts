import { join } from "node:path";
import type { Config } from "../config.ts";
import { diskFiles } from "./disk.ts";
import { minFreeBytes } from "./free-space.ts";
import type { Files } from "./store.ts";

/** Opens the configured storage; the default is a directory in `DATA_DIR`. */
export async function openFiles({
  STORAGE_URL: address,
  DATA_DIR,
  ...config
}: Pick<Config, "STORAGE_URL" | "DATA_DIR" | "MIN_FREE_SPACE">): Promise<Files> {
  const minFree = minFreeBytes(config);
  if (address?.kind === "s3") return (await import("./s3.ts")).s3Files(address, minFree);
  return diskFiles(address?.root ?? join(DATA_DIR, "files"), minFree);
}
