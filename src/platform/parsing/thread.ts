import type { MessagePort } from "node:worker_threads";
import { Failure } from "../errors.ts";
import { JsonError } from "../json/read-json.ts";
import type { FromThread, SentError, ThreadTask, ToThread } from "./messages.ts";
import { piecesOf } from "./pieces.ts";

/** This module, which threads start with. */
export const threadModule = import.meta.url;

type Read = (bytes: AsyncIterable<Uint8Array>, options: unknown) => AsyncGenerator<unknown>;

/** The process no longer reads what this thread would say. */
class Stopped extends Error {}

/** Runs a function that reads a stranger's bytes, in a thread of the pool. */
export default async function run({ port, module, name, options }: ThreadTask): Promise<void> {
  const heard = listen(port);
  const say = (message: FromThread) => port.postMessage(message);
  say({ kind: "ready" });
  try {
    const exported: Record<string, Read | undefined> = await import(module);
    const read = exported[name];
    if (read === undefined) throw new Error(`${module} does not export ${name}.`);
    await expect(heard, "next");
    for await (const value of read(bytesFrom(port, heard), options))
      for (const piece of piecesOf(value)) {
        say({ kind: "piece", piece });
        await expect(heard, "next");
      }
    say({ kind: "end" });
  } catch (error) {
    if (!(error instanceof Stopped)) say({ kind: "error", error: sent(error) });
  } finally {
    port.close();
  }
}

type Hear = () => Promise<ToThread>;

/** The messages of a port, one at a time: the process sends the next one only after an answer. */
function listen(port: MessagePort): Hear {
  const early: ToThread[] = [];
  let take: ((message: ToThread) => void) | undefined;
  port.on("message", (message: ToThread) => {
    if (take === undefined) early.push(message);
    else take(message);
    take = undefined;
  });
  return () => {
    const message = early.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => (take = resolve));
  };
}

async function expect<Kind extends ToThread["kind"]>(heard: Hear, kind: Kind) {
  const message = await heard();
  if (message.kind !== kind) throw new Stopped("The task was stopped.");
  return message;
}

async function* bytesFrom(port: MessagePort, heard: Hear): AsyncGenerator<Uint8Array> {
  for (;;) {
    port.postMessage({ kind: "wants bytes" } satisfies FromThread);
    const message = await expect(heard, "bytes");
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
