import type { ErrorCode, FailureCode, SecondFactorChallenge } from "./router.ts";

/** Any text, in addition to the codes that editors complete. */
type Other = string & Record<never, never>;

/** One problem of a request. `path` leads from the root of the input to the field. */
export type Issue = {
  /** What is wrong, for people. */
  message: string;
  /** The path to the field, such as `["items", 0, "title"]`; or empty. */
  path: (string | number)[];
  /** A newer service may have codes that this client does not know. */
  code?: FailureCode | Other;
  /** Of `wip_limit`: the limit of the list, and how many cards it would have. */
  data?: { limit: number; count: number };
  /** Of `second_factor_required`: what `account.confirm` continues with. */
  secondFactor?: SecondFactorChallenge;
};

/** A problem as the service sends it. */
type SentIssue = Omit<Issue, "path"> & { path?: (string | number)[] };

/** A failed call. `message` is that of the first problem. `status` is 0 without a response. */
export class BoardServiceError extends Error {
  override readonly name = "BoardServiceError";
  /** The HTTP status; 0 without a response. */
  declare readonly status: number;
  /** The code of the failure, such as `NOT_FOUND`; `NETWORK_ERROR` without a response. */
  declare readonly code: string;
  /** The problems, each with a stable `code`. */
  declare readonly issues: readonly Issue[];
  /** The index of the operation that failed in `workspace.batch`; undefined for other calls. */
  declare readonly failedAt: number | undefined;
  /** The id of the request in the log of the service. */
  declare readonly requestId: string | undefined;

  constructor(
    failure: {
      status: number;
      code: string;
      message: string;
      issues?: readonly SentIssue[] | undefined;
      failedAt?: number | undefined;
    },
    options: { requestId?: string | undefined; cause?: unknown } = {},
  ) {
    const { status, code, failedAt } = failure;
    const issues = (failure.issues ?? []).map((issue) => ({ ...issue, path: issue.path ?? [] }));
    // The first problem is a sentence for people, the message of the code is not.
    super(issues[0]?.message ?? failure.message, { cause: options.cause });
    Object.assign(this, { status, code, issues, failedAt, requestId: options.requestId });
  }
}

/** Whether an error is a failed call, with this code or an issue with this code if given. */
export function isError(
  error: unknown,
  code?: ErrorCode | FailureCode | Other,
): error is BoardServiceError {
  if (!(error instanceof BoardServiceError)) return false;
  return code === undefined || error.code === code || error.issues.some((i) => i.code === code);
}

/** Whether the resource does not exist. */
export const isNotFound = (error: unknown): error is BoardServiceError =>
  isError(error, "NOT_FOUND");

/** Whether the resource has changed since the version in `ifVersion`. */
export const isOutOfDate = (error: unknown): error is BoardServiceError =>
  isError(error, "PRECONDITION_FAILED");

/** Whether the service could not be reached. */
export const isOffline = (error: unknown): error is BoardServiceError =>
  isError(error, "NETWORK_ERROR");

/** The error of a response that is not 2xx. */
export async function errorOf(response: Response): Promise<BoardServiceError> {
  const text = await response.text().catch(() => "");
  return new BoardServiceError(failureOf(text, response.status), {
    requestId: response.headers.get("X-Request-Id") ?? undefined,
  });
}

/** The failure in a body of REST or tRPC. A proxy may have sent another body. */
function failureOf(text: string, status: number) {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const failure = body as Partial<
    Record<"code" | "message" | "issues" | "failedAt", unknown>
  > | null;
  if (typeof failure?.code !== "string" || typeof failure.message !== "string") {
    return { status, code: "HTTP_ERROR", message: `The service answered ${status}.` };
  }
  const issues = Array.isArray(failure.issues) ? (failure.issues as SentIssue[]) : [];
  const failedAt = typeof failure.failedAt === "number" ? failure.failedAt : undefined;
  return { status, code: failure.code, message: failure.message, issues, failedAt };
}
