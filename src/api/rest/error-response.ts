import type { Logger } from "pino";
import { failureOf } from "../../kernel/request/error-response.ts";

/** The response of an error. Unexpected errors are logged in full. */
export function errorResponse(
  error: unknown,
  requestId: string,
  { log }: { log: Pick<Logger, "error"> },
  headers: Record<string, string> = {},
  where: Record<string, string> = {},
): Response {
  const { body, status, headers: own } = failureOf(error, requestId);
  if (status === 500) log.error({ err: error, requestId, ...where }, "request failed");
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
      ...headers,
      ...own,
    },
  });
}
