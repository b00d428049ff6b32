/** What a span says: names and numbers, never values that a client sent. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The headers that continue a trace in another service (W3C Trace Context). */
export type TraceHeaders = { traceparent?: string; tracestate?: string };

/** How a span starts. */
export type NewSpan = {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  attributes?: Attributes;
  /** The trace that it continues. By default the span is a part of the one that is open. */
  continues?: TraceHeaders | "nothing";
  /** Whether an error that ends the span is a fault. By default every error is. */
  isFault?: (error: unknown) => boolean;
};

/** An open span. */
export type Span = {
  rename(name: string): void;
  add(attributes: Attributes): void;
  /** Marks it as failed. */
  fail(): void;
};

/** Records spans. */
export type Tracer = {
  /** Runs `run` in a span, which ends with it. */
  inSpan<Result>(start: NewSpan, run: (span: Span) => Promise<Result>): Promise<Result>;
  /** Whether a span is open, and is one of those that are sent. */
  isRecording(): boolean;
  /** The id of the open span's trace. */
  traceId(): string | undefined;
  /** The headers that make the open span the parent of another service's. */
  headers(): TraceHeaders;
  /** Sends what has ended, and records no more. */
  stop(): Promise<void>;
};
