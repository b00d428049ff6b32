import { join } from "node:path";
import type { Config } from "../config.ts";
import { diskFiles } from "./disk.ts";
import { s3Files } from "./s3.ts";
import type { Files } from "./store.ts";

/** Opens the configured storage; the default is a directory in `DATA_DIR`. */
export function openFiles({
  STORAGE_URL: address,
  DATA_DIR,
}: Pick<Config, "STORAGE_URL" | "DATA_DIR">): Files {
  if (address?.kind === "s3") return s3Files(address);
  return diskFiles(address?.root ?? join(DATA_DIR, "files"));
}
