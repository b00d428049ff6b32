import { writeFile } from "node:fs/promises";
import { subscribe } from "node:diagnostics_channel";
import { Session } from "node:inspector/promises";
import { createStallMeter } from "./stall-meter.mjs";

// Loaded into a measured server: reports CPU time and memory of the process, and profiles it.
const session = new Session();
const stalls = createStallMeter();
subscribe("http.server.request.start", ({ request }) => stalls.start(request));
subscribe("http.server.response.finish", ({ request }) => stalls.finish(request));
const answers = {
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory() {
    return process.memoryUsage().rss;
  },
  /** The longest stall of the event loop since the last call. */
  stall: () => stalls.longest(),
  async profile() {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 200 });
    await session.post("Profiler.start");
  },
  async save({ file }) {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    await writeFile(file, JSON.stringify(profile));
  },
};
process.on("message", async (message) => {
  process.send({ answer: await answers[message.ask](message) });
});
// The parent process has ended.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
