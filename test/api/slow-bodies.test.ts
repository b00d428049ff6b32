import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { limiter } from "../../src/kernel/request/limiter.ts";
import { uploadLimits, Uploads } from "../../src/kernel/request/uploads.ts";
import { useApp } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { makeWorkspace } from "../support/make.ts";
import { chunked, Sending } from "./uploads.ts";

const app = useApp({ isolated: true });

/** What is declared of each body: the memory for bodies holds 134 of these. */
const size = 1_000_000;
const fitting = 134;
const count = 150;
const paths = ["/api/v1/workspaces", "/trpc/workspace.create"];

/** Requests whose bodies do not arrive; resolves when `answered` of them have an answer. */
async function sendSlowly(port: number, path: string, answered: number, token?: string) {
  const sockets: Socket[] = [];
  const statuses: string[] = [];
  const authorization = token === undefined ? [] : [`Authorization: Bearer ${token}`];
  const head = [`POST ${path} HTTP/1.1`, "Host: test", "Content-Type: application/json"];
  const lines = [...head, ...authorization, `Content-Length: ${size}`, "", "{"];
  await new Promise<void>((resolve) => {
    for (let nth = 0; nth < count; nth++) {
      const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
      socket.on("error", () => undefined);
      socket.once("data", (bytes) => {
        statuses.push(String(bytes).slice(9, 12));
        if (statuses.length === answered) resolve();
      });
      sockets.push(socket);
    }
  });
  const close = () => sockets.forEach((socket) => socket.destroy());
  return { statuses: new Set(statuses), close };
}

test.each(paths)("slow bodies without a credential are not read: %s", async (path) => {
  const server = await listen((request) => app().fetch(request));
  const { statuses, close } = await sendSlowly(server.port, path, count);
  expect([...statuses]).toEqual(["401"]);
  close();
  await server.close();
});

test.each(paths)("bodies of others are read while a user sends slow ones: %s", async (path) => {
  const { admin } = await makeWorkspace(app());
  const { admin: other } = await makeWorkspace(app());
  const server = await listen((request) => app().fetch(request));
  const slow = await sendSlowly(server.port, path, count - fitting, admin.token);
  expect([...slow.statuses]).toEqual(["503"]);
  for (const writing of paths) {
    const response = await fetch(`${server.url}${writing}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${other.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Home" }),
    });
    expect(response.status).toBe(200);
  }
  slow.close();
  await server.close();
});

test.each(paths)("a body is 408 by its rate, not by its time: %s", async (path) => {
  const { admin } = await makeWorkspace(app());
  const rate = { bytesPerSecond: 2_000, windowMs: 300 };
  const uploads = new Uploads({ ...uploadLimits(0), rate }, limiter("uploads", 1, 60));
  const server = await listen(createApp({ ...app().deps, uploads }).fetch);
  onTestFinished(server.close);
  const headers = { ...chunked(admin.token), "Content-Type": "application/json" };
  expect(await new Sending(server.port, path, headers).trickle(" ")).toMatchObject({ status: 408 });
  // Slower than the window, with the rate.
  const steady = new Sending(server.port, path, headers);
  for (let part = 0; part < 10; part++) {
    steady.send(" ".repeat(20_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await steady.finish('{"name":"Home"}')).status).toBe(200);
});
