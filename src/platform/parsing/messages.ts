import type { MessagePort } from "node:worker_threads";
import type { JsonError } from "../json/read-json.ts";
import type { Failure } from "../errors.ts";
import type { Piece } from "./pieces.ts";

/** What a thread gets: the port to talk over, and which exported function of which module to run. */
export type ThreadTask = { port: MessagePort; module: string; name: string; options: unknown };

/** What a thread is told: to go on, the bytes that it asked for (null for their end), or to stop. */
export type ToThread =
  | { kind: "next" }
  | { kind: "bytes"; bytes: Uint8Array | null }
  | { kind: "stop" };

/** What a thread says: that it runs, wants bytes, a piece of a value, or how it ended. */
export type FromThread =
  | { kind: "ready" }
  | { kind: "wants bytes" }
  | { kind: "piece"; piece: Piece }
  | { kind: "end" }
  | { kind: "error"; error: SentError };

/** An error that a thread throws. */
export type SentError =
  | ({ is: "failure" } & Pick<Failure, "failure" | "issues" | "headers">)
  | ({ is: "json" } & Pick<JsonError, "problem" | "at">)
  | { is: "defect"; error: Error };
