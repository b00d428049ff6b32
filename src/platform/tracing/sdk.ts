import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as SdkSpan,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { codeOf } from "../error-code.ts";
import { version } from "../version.ts";
import { reportOutages } from "./outages.ts";
import type { NewSpan, Span, TraceHeaders, Tracer } from "./span.ts";

/** How long `stop` waits for the collector. */
const flushMs = 2_000;
/** How many texts of the SDK are logged at most. */
const maxDiagnoses = 20;

const serviceName = "workspace-board-service";

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** The span that a call is in. What a call leaves running is in none after its end. */
type OpenSpan = { context: Context; span: SdkSpan; isOpen: boolean };

/**
 * Creates a tracer that sends spans to a collector.
 *
 * The SDK reads its own settings, such as the address and the sampler, from the environment.
 */
export function openTracer(protocol: Config["OTEL_EXPORTER_OTLP_PROTOCOL"], log: Logger): Tracer {
  reportDiagnosis(log);
  const exporter = protocol === "http/json" ? new JsonExporter() : new ProtobufExporter();
  const own = { "service.name": serviceName, "service.version": version };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportOutages(exporter, log))],
  });
  const recorder = provider.getTracer(serviceName, version);
  const propagator = new W3CTraceContextPropagator();
  const spans = new AsyncLocalStorage<OpenSpan>();
  const openSpan = () => {
    const current = spans.getStore();
    return current?.isOpen === true ? current : undefined;
  };
  const parentOf = (continued: NewSpan["continues"]) => {
    if (continued === undefined) return openSpan()?.context ?? ROOT_CONTEXT;
    if (continued === "nothing") return ROOT_CONTEXT;
    return propagator.extract(ROOT_CONTEXT, continued, defaultTextMapGetter);
  };
  return {
    inSpan({ name, kind, attributes = {}, continues, isFault }, run) {
      const options = { kind: kinds[kind], attributes };
      const span = recorder.startSpan(name, options, parentOf(continues));
      const current = { context: trace.setSpan(ROOT_CONTEXT, span), span, isOpen: true };
      return spans.run(current, async () => {
        try {
          return await run(handleOf(span));
        } catch (error) {
          span.setAttribute("error.type", typeOf(error));
          if (isFault?.(error) !== false) handleOf(span).fail();
          throw error;
        } finally {
          current.isOpen = false;
          span.end();
        }
      });
    },
    isRecording: () => openSpan()?.span.isRecording() === true,
    traceId: () => openSpan()?.span.spanContext().traceId,
    headers() {
      const headers: TraceHeaders = {};
      const current = openSpan();
      if (current !== undefined) propagator.inject(current.context, headers, defaultTextMapSetter);
      return headers;
    },
    async stop() {
      await Promise.race([provider.shutdown(), pause(flushMs, undefined, { ref: false })]);
      diag.disable();
    },
  };
}

/** Logs what the SDK says about settings and answers that it cannot use, each text once. */
function reportDiagnosis(log: Logger): void {
  const said = new Set<string>();
  const say = (...parts: unknown[]) => {
    const message = parts.filter((part) => typeof part === "string").join(": ");
    if (said.has(message) || said.size === maxDiagnoses) return;
    said.add(message);
    log.warn(`tracing: ${message}`);
  };
  const silent = () => undefined;
  const logger = { error: say, warn: say, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

const handleOf = (span: SdkSpan): Span => ({
  rename: (name) => void span.updateName(name),
  add: (attributes) => void span.setAttributes(attributes),
  fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
});

/** What kind of error it is. Messages may contain values, so spans do not have them. */
const typeOf = (error: unknown) =>
  codeOf(error) || (error instanceof Error ? error.name : typeof error);
