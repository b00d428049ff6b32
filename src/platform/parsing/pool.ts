import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Piscina } from "piscina";
import { codeOf } from "../error-code.ts";
import { failure, Failure } from "../errors.ts";
import { JsonError } from "../json/read-json.ts";
import type { FromThread, SentError, ThreadTask, ToThread } from "./messages.ts";
import { Assembler } from "./pieces.ts";
import { threadModule } from "./thread.ts";

/** Reads a stranger's bytes and yields what it finds. Its options and values can be cloned. */
type Read<Options, Value> = (
  bytes: AsyncIterable<Uint8Array>,
  options: Options,
) => AsyncGenerator<Value>;

/** A function that threads run: the module that exports it, and its name there. */
export type ParseTask<Options, Value> = {
  module: string;
  name: string;
  /** What its errors call the bytes, such as `The file`. */
  what: string;
  /** Only for its types. */
  read: Read<Options, Value>;
};

/** Declares a task. A module passes its own URL, and a function that it exports. */
export const parseTask = <Options, Value>(
  module: string,
  what: string,
  read: Read<Options, Value>,
): ParseTask<Options, Value> => ({ module, name: read.name, what, read });

/** The limits of a thread: its memory in MiB, ms without an answer, and ms in all. */
export const parseLimits = { memory: 512, answerMs: 60_000, totalMs: 15 * 60_000 };

/** Imports and requests share the threads. Each import is read by one at a time. */
const threads = 4;
const idleMs = 30_000;
const stopMs = 5_000;

let pool: Promise<Piscina<ThreadTask, void>> | undefined;

/** The threads start when they are needed, know no setting, and load hooks of the process. */
async function startPool(): Promise<Piscina<ThreadTask, void>> {
  const { Piscina: Pool } = await import("piscina");
  return new Pool({
    filename: threadModule,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: parseLimits.memory },
    env: {},
    execArgv: process.execArgv.filter((option) => option.startsWith("--import=")),
  });
}

/** Ends the threads. Those that still read are terminated. */
export async function endParsing(): Promise<void> {
  const ending = pool;
  pool = undefined;
  await (await ending)?.destroy();
}

/**
 * Reads bytes in a thread, with limits of memory and time. The values arrive in pieces, so that
 * none of them holds the process up.
 */
export async function* parse<Options, Value>(
  { module, name, what }: Pick<ParseTask<Options, Value>, "module" | "name" | "what" | "read">,
  bytes: AsyncIterable<Uint8Array>,
  options: Options,
  signal?: AbortSignal,
): AsyncGenerator<Value> {
  pool ??= startPool();
  const thread = new Thread(await pool, { module, name, options }, what, signal);
  const source = bytes[Symbol.asyncIterator]();
  const assembler = new Assembler();
  try {
    await thread.start();
    for (let reply = await thread.ask({ kind: "next" }); reply.kind !== "end"; ) {
      if (reply.kind === "wants bytes") {
        const { done, value } = await source.next();
        // A copy, which moves to the thread: chunks are often parts of a larger buffer.
        const moved = done === true ? null : new Uint8Array(value);
        reply = await thread.ask({ kind: "bytes", bytes: moved }, moved === null ? [] : [moved]);
      } else if (reply.kind === "piece") {
        // The task's declaration says what its values are.
        if (assembler.take(reply.piece)) yield assembler.end() as Value;
        reply = await thread.ask({ kind: "next" });
      } else throw errorOf(reply);
    }
  } finally {
    await thread.stop();
    await source.return?.();
  }
}

/** Reads the only value of a task. */
export async function parseOne<Options, Value>(
  ...args: Parameters<typeof parse<Options, Value>>
): Promise<Value> {
  for await (const value of parse(...args)) return value;
  throw new Error(`${args[0].name} yields nothing.`);
}

/** A task in a thread, which answers each message with one. */
class Thread {
  readonly #port: MessagePort;
  readonly #what: string;
  readonly #ended = new AbortController();
  readonly #finished: Promise<void>;
  readonly #lost: Promise<never>;
  readonly #signal: AbortSignal | undefined;
  #received: FromThread[] = [];
  #take: ((message: FromThread) => void) | undefined;
  #give: () => void = () => undefined;
  #busyMs = 0;

  constructor(
    threadsOf: Piscina<ThreadTask, void>,
    task: Omit<ThreadTask, "port">,
    what: string,
    signal: AbortSignal | undefined,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#what = what;
    this.#signal = signal;
    port1.on("message", (message: FromThread) => {
      if (this.#take === undefined) this.#received.push(message);
      else this.#take(message);
      this.#take = undefined;
    });
    port1.unref();
    this.#finished = threadsOf.run(
      { ...task, port: port2 },
      { transferList: [port2], signal: this.#ended.signal },
    );
    // Its end alone is no loss: its last message may still be on the way.
    this.#lost = new Promise((_, reject) => {
      this.#finished.catch((error: unknown) => reject(this.#lossOf(error)));
      this.#give = () => reject(signal?.reason);
      signal?.addEventListener("abort", this.#give);
    });
    this.#lost.catch(() => undefined);
  }

  /** Waits for a free thread, which does not count as time of the task. */
  async start(): Promise<void> {
    this.#signal?.throwIfAborted();
    await Promise.race([this.#hear(), this.#lost]);
  }

  async ask(message: ToThread, moved: Uint8Array<ArrayBuffer>[] = []): Promise<FromThread> {
    this.#signal?.throwIfAborted();
    const since = performance.now();
    const { answerMs, totalMs } = parseLimits;
    const ms = Math.min(answerMs, Math.max(0, totalMs - this.#busyMs));
    const timer = setTimeout(() => this.#ended.abort(), ms);
    try {
      this.#port.postMessage(
        message,
        moved.map(({ buffer }) => buffer),
      );
      return await Promise.race([this.#hear(), this.#lost]);
    } finally {
      clearTimeout(timer);
      this.#busyMs += performance.now() - since;
    }
  }

  /** Ends the task; a thread that does not stop by itself is terminated. */
  async stop(): Promise<void> {
    this.#port.postMessage({ kind: "stop" } satisfies ToThread);
    const timer = setTimeout(() => this.#ended.abort(), this.#signal?.aborted ? 0 : stopMs);
    await this.#finished.catch(() => undefined);
    clearTimeout(timer);
    this.#signal?.removeEventListener("abort", this.#give);
    this.#port.close();
  }

  #hear(): Promise<FromThread> {
    const message = this.#received.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => (this.#take = resolve));
  }

  #lossOf(error: unknown): unknown {
    if (this.#ended.signal.aborted) return tooMuch(this.#what, "time");
    const isFull = error instanceof Error && codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
    return isFull ? tooMuch(this.#what, "memory") : error;
  }
}

/** 400 for bytes that take more than a thread may use. */
const tooMuch = (what: string, needed: "time" | "memory") =>
  failure("file_unreadable", `${what} takes too much ${needed} to read.`);

function errorOf(reply: FromThread): unknown {
  if (reply.kind !== "error") return new Error(`Unexpected message ${reply.kind}`);
  const error: SentError = reply.error;
  if (error.is === "failure") return new Failure(error.failure, error.issues, error.headers);
  return error.is === "json" ? new JsonError(error.problem, error.at) : error.error;
}
