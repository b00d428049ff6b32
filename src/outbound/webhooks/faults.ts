const sentences: [RegExp, string][] = [
  [/^ECONNREFUSED$/, "The connection was refused."],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "The connection was closed before an answer came."],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|ETIMEDOUT)$/, "The target is out of reach."],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|INVALID_PURPOSE/, "The target's certificate is not valid."],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, "No secure connection to the target could be made."],
  [/^UND_ERR_RES_EXCEEDED/, "What the target sent before its answer had no end."],
  [
    /^(HPE_|HTTPParserError$|UND_ERR_(HEADERS|RES)|ERR_ASSERTION$)/,
    "The target's answer is not valid HTTP.",
  ],
];

/** Turns what a request was rejected with into one sentence for people, without addresses or stack traces. */
export const faultSentence = (fault: unknown) => {
  const code = codeOf(fault);
  return sentences.find(([pattern]) => pattern.test(code))?.[1] ?? "The connection failed.";
};

// undici's parser leaves some of its errors without a code, and asserts where others complain.
const codeOf = (fault: unknown) => {
  if (!(fault instanceof Error)) return "";
  return "code" in fault && typeof fault.code === "string" ? fault.code : fault.name;
};
