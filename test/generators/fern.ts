import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { configuration, npmProgram, run } from "./tools.ts";

/**
 * Reads the document as the generators of fern get it. They are containers, which no registry of
 * packages has.
 */
export async function fern(cwd: string) {
  await cp(configuration("fern"), join(cwd, "fern"), { recursive: true });
  const { version } = JSON.parse(await readFile(join(cwd, "fern/fern.config.json"), "utf8"));
  const program = await npmProgram(`fern-api@${version}`, "fern");
  const settings = ["FERN_DISABLE_TELEMETRY=true", "FERN_NO_VERSION_REDIRECTION=true"];
  const command = [...settings, program, "ir", "ir.json", "--language", "java"];
  const printed = await run(cwd, "env", ...command);
  if (!printed.includes("Found 0 errors")) throw new Error(printed);
  return undefined;
}
