import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";

// Loaded into a measured server: reports CPU time and memory of the process, and profiles it.
const session = new Session();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const answers = {
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory() {
    return process.memoryUsage().rss;
  },
  /** The longest delay of the event loop since the last call, in ms. */
  stall() {
    const longest = delay.max / 1e6;
    delay.reset();
    return longest;
  },
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
