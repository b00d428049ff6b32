import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npmProgram, run } from "./tools.ts";

const version = "5.131.1";

/**
 * Reads the document as the generators of fern get it. They are containers, which no registry of
 * packages has.
 */
export async function fern(cwd: string) {
  const program = await npmProgram(`fern-api@${version}`, "fern");
  await mkdir(join(cwd, "fern"));
  const project = { organization: "board", version };
  await writeFile(join(cwd, "fern/fern.config.json"), JSON.stringify(project));
  const specs = "api:\n  specs:\n    - openapi: ../openapi.json\n";
  await writeFile(join(cwd, "fern/generators.yml"), specs);
  const settings = ["FERN_DISABLE_TELEMETRY=true", "FERN_NO_VERSION_REDIRECTION=true"];
  const command = [...settings, program, "ir", "ir.json", "--language", "java"];
  const printed = await run(cwd, "env", ...command);
  if (!printed.includes("Found 0 errors")) throw new Error(printed);
  return undefined;
}
