import type { Deps } from "../../kernel/request/deps.ts";
import { failureOf } from "../../kernel/request/error-response.ts";

/** Answers a failure in the shape of the interface; what nobody foresaw is logged whole. */
export function answerFailure(
  error: unknown,
  requestId: string,
  { log }: Pick<Deps, "log">,
  headers: Record<string, string> = {},
  where: Record<string, string> = {},
): Response {
  const answered = failureOf(error, requestId);
  if (answered.status === 500) log.error({ err: error, requestId, ...where }, "a call failed");
  return new Response(JSON.stringify(answered.body), {
    status: answered.status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...headers,
      ...answered.headers,
      ...(answered.status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
    },
  });
}
