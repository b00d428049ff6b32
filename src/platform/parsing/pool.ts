import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Piscina } from "piscina";
import { z } from "zod";
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

/** Declares a task. A module passes its own URL, and one function that it exports, by its name. */
export function parseTask<Options, Value>(
  module: string,
  what: string,
  exported: Record<string, Read<Options, Value>>,
): ParseTask<Options, Value> {
  const [[name, read] = []] = Object.entries(exported);
  if (name === undefined || read === undefined) throw new Error("Name the function of the task.");
  return { module, name, what, read };
}

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
  const source = bytes[Symbol.asyncIterator]();
  const thread = new Thread(await pool, { module, name, options }, { what, source, signal });
  const assembler = new Assembler();
  try {
    await thread.start();
    for (;;) {
      const reply = await thread.next();
      if (reply.kind === "end") return;
      if (reply.kind !== "piece") throw errorOf(reply);
      if (assembler.take(reply.piece)) yield z.custom<Value>().parse(assembler.end());
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

type Bytes = {
  /** What errors call them. */
  what: string;
  source: AsyncIterator<Uint8Array>;
  signal: AbortSignal | undefined;
};

/** A task in a thread. It asks for bytes, and answers each call of `next` with a message. */
class Thread {
  readonly #port: MessagePort;
  readonly #bytes: Bytes;
  readonly #terminated = new AbortController();
  readonly #finished: Promise<void>;
  /** Why nothing more will be heard. */
  #loss: { error: unknown } | undefined;
  readonly #giveUp = () => this.#lose(this.#bytes.signal?.reason);
  readonly #received: FromThread[] = [];
  #listener: { take: (message: FromThread) => void; refuse: (error: unknown) => void } | undefined;
  #isAsked = false;
  #isFeeding = false;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #busyMs = 0;

  constructor(threadPool: Piscina<ThreadTask, void>, task: Omit<ThreadTask, "port">, bytes: Bytes) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#bytes = bytes;
    bytes.signal?.addEventListener("abort", this.#giveUp);
    port1.on("message", (message: FromThread) => {
      if (message.kind === "wants bytes") void this.#feed();
      else if (this.#listener === undefined) this.#received.push(message);
      else this.#listener.take(message);
    });
    port1.unref();
    this.#finished = threadPool.run(
      { ...task, port: port2 },
      { transferList: [port2], signal: this.#terminated.signal },
    );
    // Its end alone is no loss: its last message may still be on the way.
    this.#finished.catch((error: unknown) => this.#lose(this.#lossOf(error)));
  }

  /** Waits for a free thread, which does not count as time of the task. */
  start(): Promise<FromThread> {
    this.#bytes.signal?.throwIfAborted();
    return this.#hear();
  }

  async next(): Promise<FromThread> {
    this.#bytes.signal?.throwIfAborted();
    this.#port.postMessage({ kind: "next" } satisfies ToThread);
    this.#isAsked = true;
    this.#measure();
    try {
      return await this.#hear();
    } finally {
      this.#isAsked = false;
      this.#measure();
    }
  }

  /** Ends the task; a thread that does not stop by itself is terminated. */
  async stop(): Promise<void> {
    const { signal } = this.#bytes;
    signal?.removeEventListener("abort", this.#giveUp);
    this.#port.postMessage({ kind: "stop" } satisfies ToThread);
    const timer = setTimeout(() => this.#terminated.abort(), signal?.aborted ? 0 : stopMs);
    await this.#finished.catch(() => undefined);
    clearTimeout(timer);
    this.#port.close();
  }

  async #feed() {
    this.#isFeeding = true;
    this.#measure();
    try {
      const { done, value } = await this.#bytes.source.next();
      // A copy, which moves to the thread: chunks are often parts of a larger buffer.
      const bytes = done === true ? null : new Uint8Array(value);
      const moved = bytes === null ? [] : [bytes.buffer];
      this.#port.postMessage({ kind: "bytes", bytes } satisfies ToThread, moved);
    } catch (error) {
      this.#lose(error);
    }
    this.#isFeeding = false;
    this.#measure();
  }

  async #hear(): Promise<FromThread> {
    const message = this.#received.shift();
    if (message !== undefined) return message;
    if (this.#loss !== undefined) throw this.#loss.error;
    try {
      return await new Promise<FromThread>((take, refuse) => (this.#listener = { take, refuse }));
    } finally {
      this.#listener = undefined;
    }
  }

  #lose(error: unknown) {
    this.#loss ??= { error };
    this.#listener?.refuse(this.#loss.error);
  }

  /** Measures the time in which the process waits for the thread, and the thread for nothing. */
  #measure() {
    if (this.#timer !== undefined) this.#busyMs += performance.now() - this.#since;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isAsked || this.#isFeeding) return;
    const { answerMs, totalMs } = parseLimits;
    this.#since = performance.now();
    const ms = Math.min(answerMs, Math.max(0, totalMs - this.#busyMs));
    this.#timer = setTimeout(() => this.#terminated.abort(), ms);
  }

  #lossOf(error: unknown): unknown {
    if (this.#terminated.signal.aborted) return tooMuch(this.#bytes.what, "time");
    const isFull = error instanceof Error && codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
    return isFull ? tooMuch(this.#bytes.what, "memory") : error;
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
