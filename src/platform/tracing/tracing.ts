import { AsyncResource } from "node:async_hooks";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { NewSpan, Span, TraceHeaders, Tracer } from "./span.ts";

/** What records the spans of this process; nothing without a collector. */
let tracer: Tracer | undefined;

type TracingSettings = Pick<Config, "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_PROTOCOL">;

/** Loads the SDK and records spans, if the settings name a collector. */
export async function startTracing(settings: TracingSettings, log: Logger): Promise<void> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return;
  const { openTracer } = await import("./sdk.ts");
  tracer = openTracer(settings.OTEL_EXPORTER_OTLP_PROTOCOL, log);
}

/** Sends the remaining spans: waits some seconds at most for the collector. */
export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = undefined;
  await stopped?.stop();
}

/** Runs `run` in a span, which ends with it. Without tracing there is no span. */
export const inSpan = <Result>(
  start: NewSpan,
  run: (span?: Span) => Promise<Result>,
): Promise<Result> => (tracer === undefined ? run() : tracer.inSpan(start, run));

/**
 * Runs a statement in a span with its text, which has no values.
 *
 * Statements outside of spans, such as those that look for work, are not recorded.
 */
export function inStatement<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (tracer?.isRecording() !== true) return run();
  const name = /[A-Z]+/.exec(text)?.[0] ?? "statement";
  const attributes = { "db.system.name": "postgresql", "db.query.text": text };
  return tracer.inSpan({ name, kind: "client", attributes }, run);
}

/** Binds a function to the open span, for one that runs later beside those of other calls. */
export const withOpenSpan = <Input, Result>(run: (input: Input) => Result) =>
  tracer === undefined ? run : AsyncResource.bind((input: Input) => run(input));

/** The id of the open span's trace. */
export const openTraceId = (): string | undefined => tracer?.traceId();

/** The headers that make the open span the parent of another service's. */
export const traceHeaders = (): TraceHeaders => tracer?.headers() ?? {};
