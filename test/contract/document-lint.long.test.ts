import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withoutWebhooks } from "../../src/api/openapi/served-document.ts";
import { theDocument } from "../support/responses.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { document } from "./examples.ts";

test("the document passes Redocly's recommended rules without an error or a warning", async () => {
  const file = join(await temporaryDirectory(), "openapi.json");
  await writeFile(file, JSON.stringify(theDocument()));
  const program = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, "lint", "--extends=recommended", "--format=json", file],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  ).catch((error: { stdout: string }) => error);
  const { problems, totals } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string }[];
    totals: object;
  };
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("the document of the build is the document", async () => {
  const built = await readFile(new URL("../../dist/api/openapi/document.json", import.meta.url));
  const { servers: _, ...rest } = JSON.parse(built.toString());
  expect(theDocument()).toMatchObject(rest);
});

test("the build has the document without webhooks, as the service serves it", async () => {
  const file = new URL("../../dist/api/openapi/without-webhooks.json", import.meta.url);
  const built = JSON.parse((await readFile(file)).toString());
  expect(built).toEqual(JSON.parse(JSON.stringify(withoutWebhooks(document))));
  expect(built).not.toHaveProperty("webhooks");
});
