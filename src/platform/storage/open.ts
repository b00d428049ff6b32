import { join } from "node:path";
import type { Config } from "../config.ts";
import { diskFiles } from "./disk.ts";
import type { Files } from "./store.ts";

/** Opens the configured storage; the default is a directory in `DATA_DIR`. */
export async function openFiles({
  STORAGE_URL: address,
  DATA_DIR,
}: Pick<Config, "STORAGE_URL" | "DATA_DIR">): Promise<Files> {
  if (address?.kind === "s3") return (await import("./s3.ts")).s3Files(address);
  return diskFiles(address?.root ?? join(DATA_DIR, "files"));
}
