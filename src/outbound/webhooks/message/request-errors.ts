const messages: [RegExp, string][] = [
  [/^ECONNREFUSED$/, "The receiver refused the connection."],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "The receiver closed the connection without a response."],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|ETIMEDOUT)$/, "The receiver is unreachable."],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|INVALID_PURPOSE/,
    "The receiver's TLS certificate is not valid.",
  ],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, "The TLS handshake with the receiver failed."],
  [/^UND_ERR_RES_EXCEEDED/, "The receiver sent too many interim (1xx) responses."],
  [
    /^(HPE_|HTTPParserError$|UND_ERR_(HEADERS|RES)|ERR_ASSERTION$)/,
    "The receiver's response is not valid HTTP.",
  ],
];

/** A sentence for a failed request, without addresses or stack traces. */
export function requestErrorMessage(error: unknown): string {
  const code = codeOf(error);
  return messages.find(([pattern]) => pattern.test(code))?.[1] ?? "The connection failed.";
}

// The parser of undici leaves some errors without a code, and asserts instead of failing.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
