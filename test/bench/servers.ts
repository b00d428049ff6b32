import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** How long one iteration of an event loop took, in ms. */
export type Stall = {
  /** CPU time of the thread, without garbage collection. */
  ms: number;
  /** Time on the clock, in which other processes run, too. */
  wall: number;
  /** Garbage collection. */
  gc: number;
  /** The requests of the longest iteration. */
  requests: string[];
};

/** A server that is measured, in a process of its own. */
export type Server = {
  origin: string;
  /** The origins of its instances. */
  origins: string[];
  /** The CPU time that it has used so far, in µs. */
  cpu(): Promise<number>;
  /** The memory that it holds, in bytes. */
  memory(): Promise<number>;
  /** The longest iteration of its event loop since the last call. */
  stall(): Promise<Stall>;
  /**
   * Profiles it while `run` runs, and writes what came out to a file that Chrome's developer tools
   * open.
   */
  profiled<Result>(file: string, run: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

const built = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const starter = fileURLToPath(new URL("../support/run-typescript.mjs", import.meta.url));
const floor = fileURLToPath(new URL("floor/server.ts", import.meta.url));
const usageReport = new URL("usage-report.mjs", import.meta.url).href;

/** What both servers are started with. */
export type Common = {
  databaseUrl: string;
  secret: string;
  cwd: string;
  env?: Record<string, string>;
  /** The built service, if it is not the one of this folder. */
  program?: string;
};

/** The service as it is built, with limits that a benchmark does not meet. */
export const startBuilt = ({ databaseUrl, secret, cwd, env = {}, program = built }: Common) =>
  start([program], cwd, {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    DATA_DIR: cwd,
    APP_SECRET: secret,
    PORT: "0",
    LOG_LEVEL: "warn",
    RATE_LIMIT: "1000000",
    AUTH_RATE_LIMIT: "1000000",
    ...env,
  });

/** The floor: the same answers from the same database, by hand. */
export const startFloor = ({ databaseUrl, secret, cwd }: Common) =>
  start([starter, floor, databaseUrl, secret], cwd, {
    NODE_ENV: "production",
  });

async function start(args: string[], cwd: string, env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, ["--import", usageReport, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const origin = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(text);
      if (found !== null) resolve(found[0]);
    });
    void ended.then(() => reject(new Error(`${args.join(" ")} ended before it listened.`)));
  });
  const ask = async (message: { ask: string; file?: string }) => {
    child.send(message);
    const [{ answer: response }] = await once(child, "message");
    return response;
  };
  return {
    origin,
    origins: [origin],
    cpu: async () => Number(await ask({ ask: "cpu" })),
    memory: async () => Number(await ask({ ask: "memory" })),
    stall: () => ask({ ask: "stall" }),
    async profiled(file, run) {
      await ask({ ask: "profile" });
      const result = await run();
      await ask({ ask: "save", file });
      return result;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Two instances as one server, with the CPU time of both. */
export const inTwo = (one: Server, other: Server): Pick<Server, "origins" | "cpu"> => ({
  origins: [one.origin, other.origin],
  cpu: async () => (await one.cpu()) + (await other.cpu()),
});
