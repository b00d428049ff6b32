import type { MessagePort } from "node:worker_threads";
import { Failure } from "../errors.ts";
import { JsonError } from "../json/read-json.ts";
import type { FromThread, SentError, ThreadTask, ToThread } from "./messages.ts";
import { piecesOf } from "./pieces.ts";

/** This module, which threads start with. */
export const threadModule = import.meta.url;

type Read = (bytes: AsyncIterable<Uint8Array>, options: unknown) => AsyncGenerator;

/** The process no longer reads what this thread would say. */
class Stopped extends Error {}

/** Runs a function that reads a stranger's bytes, in a thread of the pool. */
export default async function run({ port, module, name, options }: ThreadTask): Promise<void> {
  const inbox = new Inbox(port);
  const say = (message: FromThread) => port.postMessage(message);
  say({ kind: "ready" });
  try {
    const exported: Record<string, Read | undefined> = await import(module);
    const read = exported[name];
    if (read === undefined) throw new Error(`${module} does not export ${name}.`);
    await inbox.take("next");
    for await (const value of read(bytesFrom(port, inbox), options))
      for (const piece of piecesOf(value)) {
        say({ kind: "piece", piece });
        await inbox.take("next");
      }
    say({ kind: "end" });
  } catch (error) {
    if (!(error instanceof Stopped)) say({ kind: "error", error: sent(error) });
  } finally {
    port.close();
  }
}

/** What the process sends to a thread, of each kind in the order of its arrival. */
class Inbox {
  readonly #early: ToThread[] = [];
  readonly #waiting = new Map<ToThread["kind"], (message: ToThread | undefined) => void>();
  #isStopped = false;

  constructor(port: MessagePort) {
    port.on("message", (message: ToThread) => {
      if (message.kind === "stop") return this.#stop();
      const take = this.#waiting.get(message.kind);
      this.#waiting.delete(message.kind);
      if (take === undefined) this.#early.push(message);
      else take(message);
    });
  }

  /** The next message of a kind. */
  async take(kind: ToThread["kind"]): Promise<ToThread> {
    const at = this.#early.findIndex((message) => message.kind === kind);
    const [early] = at < 0 ? [] : this.#early.splice(at, 1);
    if (early !== undefined) return early;
    const message = this.#isStopped
      ? undefined
      : await new Promise<ToThread | undefined>((resolve) => this.#waiting.set(kind, resolve));
    if (message === undefined) throw new Stopped("The task was stopped.");
    return message;
  }

  #stop() {
    this.#isStopped = true;
    for (const take of this.#waiting.values()) take(undefined);
  }
}

async function* bytesFrom(port: MessagePort, inbox: Inbox): AsyncGenerator<Uint8Array> {
  for (;;) {
    port.postMessage({ kind: "wants bytes" } satisfies FromThread);
    const message = await inbox.take("bytes");
    const bytes = "bytes" in message ? message.bytes : null;
    if (bytes === null) return;
    yield bytes;
  }
}

function sent(error: unknown): SentError {
  if (error instanceof Failure) {
    const { failure, issues, headers } = error;
    return { is: "failure", failure, issues, headers };
  }
  if (error instanceof JsonError) return { is: "json", problem: error.problem, at: error.at };
  return { is: "defect", error: error instanceof Error ? error : new Error(String(error)) };
}
