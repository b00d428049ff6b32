import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkPorts } from "../../src/app/free-port.ts";
import { readConfig } from "../../src/platform/config.ts";

const HOST = "127.0.0.1";

/** A port that another program listens on. */
async function usedPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, HOST), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a port in use is named, with a command that uses another one", async () => {
  const port = await usedPort();
  await expect(checkPorts({ HOST, PORT: port, METRICS_PORT: undefined })).rejects.toThrow(
    new RegExp(`${HOST}:${port} is in use.*PORT=\\d+ npm start`),
  );
  await expect(checkPorts({ HOST, PORT: 0, METRICS_PORT: port })).rejects.toThrow(
    new RegExp(`${port} is in use.*METRICS_PORT=\\d+ npm start`),
  );
  await checkPorts({ HOST, PORT: 0, METRICS_PORT: undefined });
});

test("an address of another machine is named", async () => {
  const elsewhere = checkPorts({ HOST: "192.0.2.1", PORT: 0, METRICS_PORT: undefined });
  await expect(elsewhere).rejects.toThrow(/HOST=192\.0\.2\.1/);
});

test("one port cannot serve calls and metrics", () => {
  expect(() => readConfig({ PORT: "3000", METRICS_PORT: "3000" })).toThrow(/METRICS_PORT/);
});
