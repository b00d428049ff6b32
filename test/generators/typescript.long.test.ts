import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { expect, test } from "vitest";
import { useService } from "../e2e/service.ts";
import { withAdapter } from "./adapter.ts";
import { clients } from "./clients.ts";
import { openapiFetch } from "./openapi-fetch.ts";
import { session } from "./session.ts";
import { compileTypeScript, configuration, project, run } from "./tools.ts";

const service = useService();
const documentOf = async (query = "") =>
  (await fetch(`${service()}/api/v1/openapi.json${query}`)).text();

test.each(["", "?webhooks=true"])("swagger-parser loads openapi.json%s", async (query) => {
  const document = await SwaggerParser.validate(JSON.parse(await documentOf(query)));
  expect(document).toHaveProperty("openapi", "3.1.0");
});

test("the client of openapi-typescript and openapi-fetch passes the session", async () => {
  await expect(session(openapiFetch(`${service()}/api/v1`))).resolves.toBeUndefined();
});

test("openapi-typescript writes types that compile, with the configuration of the examples", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "board-client-"));
  try {
    await writeFile(join(cwd, "openapi.json"), await documentOf());
    await cp(configuration("openapi-typescript/redocly.yaml"), join(cwd, "redocly.yaml"));
    const program = join(project, "node_modules/openapi-typescript/bin/cli.js");
    await run(cwd, process.execPath, program);
    await expect(compileTypeScript(cwd, join(cwd, "board.d.ts"))).resolves.toBeUndefined();
  } finally {
    await rm(cwd, { recursive: true });
  }
});

test("the client of hey-api compiles strictly and passes the session", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "board-client-"));
  try {
    await writeFile(join(cwd, "openapi.json"), await documentOf());
    const command = (await clients["hey-api"]?.(cwd)) ?? [];
    const adapter = withAdapter(cwd, [...command, `${service()}/api/v1`], session);
    await expect(adapter).resolves.toBeUndefined();
  } finally {
    await rm(cwd, { recursive: true });
  }
});
