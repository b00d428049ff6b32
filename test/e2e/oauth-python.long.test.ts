import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { MissingTool, pythonWith } from "../generators/tools.ts";
import { startApp } from "../support/app.ts";
import { freePort, listen } from "../support/listen.ts";
import { makeWorkspace } from "../support/make.ts";

const program = fileURLToPath(new URL("../generators/adapters/mcp_client.py", import.meta.url));
const callback = "http://127.0.0.1:33418/callback";

test("the Python SDK of MCP connects with nothing but the address, and refreshes", async ({
  skip,
}) => {
  const folder = await pythonWith("mcp==2.3.0").catch((error: unknown) => {
    if (error instanceof MissingTool) return skip(error.message);
    throw error;
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = await startApp({ env: { BASE_URL: url, NODE_ENV: "production" } });
  onTestFinished(() => app.close());
  const service = await listen(app.fetch, port);
  onTestFinished(() => service.close());
  const workspace = await makeWorkspace(app);

  const host = spawn(join(folder, "python"), [program, `${url}/mcp`, callback]);
  onTestFinished(() => void host.kill("SIGKILL"));
  let errors = "";
  host.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const said: any[] = [];
  for await (const line of createInterface(host.stdout)) {
    const message = JSON.parse(line);
    said.push(message);
    if (message.asked === undefined) continue;
    const request = new URL(message.asked).search.slice(1);
    const bounds = { allow: true, workspacePublicId: workspace.publicId };
    const { body } = await workspace.admin.rest.post("/oauth/decide", { request, ...bounds });
    const { searchParams } = new URL(body.redirectTo);
    host.stdin.write(`${JSON.stringify(Object.fromEntries(searchParams))}\n`);
  }
  const used = { tools: expect.any(Number), text: expect.stringContaining("Workspace") };
  expect(said, errors).toEqual([{ asked: expect.stringContaining(url) }, used, used]);
  expect(said[1].tools).toBeGreaterThan(20);
});
