/** The errors of the API: status and standard message of each code. */
export const errorCodes = {
  BAD_REQUEST: { status: 400, message: "Invalid input data" },
  UNAUTHORIZED: { status: 401, message: "Authorization not provided" },
  FORBIDDEN: { status: 403, message: "Insufficient access" },
  NOT_FOUND: { status: 404, message: "Not found" },
  METHOD_NOT_SUPPORTED: { status: 405, message: "Method not allowed" },
  NOT_ACCEPTABLE: { status: 406, message: "Not acceptable" },
  REQUEST_TIMEOUT: { status: 408, message: "Request timeout" },
  CONFLICT: { status: 409, message: "Conflict" },
  PRECONDITION_FAILED: { status: 412, message: "Precondition failed" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "Payload too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Unsupported media type" },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "Range not satisfiable" },
  EXPECTATION_FAILED: { status: 417, message: "Expectation failed" },
  UNPROCESSABLE_CONTENT: { status: 422, message: "Unprocessable content" },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests" },
  REQUEST_HEADERS_TOO_LARGE: { status: 431, message: "Request headers too large" },
  INTERNAL_SERVER_ERROR: { status: 500, message: "Internal server error" },
  NOT_IMPLEMENTED: { status: 501, message: "Not implemented" },
  BAD_GATEWAY: { status: 502, message: "Bad gateway" },
  SERVICE_UNAVAILABLE: { status: 503, message: "Service unavailable" },
} as const;

/** A code of an error, which is the code of its status. */
export type ErrorCode = keyof typeof errorCodes;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** All codes of errors, by status. */
export const allErrorCodes = Object.keys(errorCodes).filter(isErrorCode);
