import { onTestFinished, vi } from "vitest";
import { listen } from "./listen.ts";

type Value = { stringValue?: string; intValue?: number | string };
type Attribute = { key: string; value: Value };
type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code: number };
};
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
};

/** A span that a collector has received. */
export type ReceivedSpan = Omit<SentSpan, "attributes"> & {
  attributes: Record<string, string | number>;
};

/** A collector of traces (OTLP over HTTP) on loopback. */
export type Collector = {
  url: string;
  /** The requests: their headers, and their bodies. */
  requests: { headers: Headers; path: string; body: Buffer }[];
  /** The spans of all requests, which are in JSON. */
  spans: () => ReceivedSpan[];
  /** The attributes of the service that sent the last request. */
  resource: () => Record<string, string | number>;
  /** The status of the next answers. */
  answer: (status: number) => void;
};

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [
      key,
      stringValue ?? Number(intValue),
    ]),
  );

/** Starts a collector for a test, and names it to the SDK in the environment. */
export async function startCollector(env: Record<string, string> = {}): Promise<Collector> {
  const requests: Collector["requests"] = [];
  let status = 200;
  const server = await listen(async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    requests.push({ headers: request.headers, path: new URL(request.url).pathname, body });
    return Response.json({}, { status });
  });
  onTestFinished(() => server.close());
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: server.url, ...env };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const resources = () =>
    requests.flatMap(
      ({ body }): Body["resourceSpans"] => JSON.parse(body.toString()).resourceSpans,
    );
  return {
    url: server.url,
    requests,
    spans: () =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
    resource: () => valuesOf(resources().at(-1)?.resource.attributes ?? []),
    answer: (next) => void (status = next),
  };
}
