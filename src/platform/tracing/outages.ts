import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";

/** An exporter whose failures are one line in the log, and another one when it succeeds again. */
export function reportOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  const report = ({ code, error }: ExportResult) => {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    if (hasFailed && !isFailing) {
      const cause = error?.message;
      log.warn({ cause }, "the collector of traces accepts none; spans are dropped until it does");
    }
    if (!hasFailed && isFailing) log.info("the collector accepts traces again");
    isFailing = hasFailed;
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        report(result);
        // The SDK would log each failure.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
