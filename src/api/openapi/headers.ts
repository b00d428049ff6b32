import { policy, ruleOf, type Operation, type Rule } from "../../contract/policy.ts";

const ref = (group: string, name: string) => ({ $ref: `#/components/${group}/${name}` });
const text = (description: string, example: string, keywords: object = {}) => ({
  description,
  schema: { type: "string", ...keywords },
  example,
});

/** The response headers, by component name. */
export const headers = {
  RequestId: text("The id of the request, as in the log.", "q8w2e5r7t1y4"),
  ETag: text("The version of the resource.", '"3"'),
  RateLimit: text(
    "Remaining calls (r) and seconds until the window resets (t).",
    '"calls";r=99;t=10',
  ),
  RateLimitPolicy: text("Allowed calls (q) per window in seconds (w).", '"calls";q=100;w=10'),
  RetryAfter: text("Seconds to wait before a retry.", "10", { pattern: "^[0-9]+$" }),
  Replayed: text("This is the stored response of an earlier call with the same key.", "true", {
    enum: ["true"],
  }),
  LastEvent: text(
    "The id of the last event that the call published, except `access.gained` and `access.lost`. " +
      "Absent if it published none. If it published events in several workspaces, the last one in " +
      "one of them.",
    "e2v8e6n4t1s7",
  ),
  FeedCursor: text(
    "The cursor after `Last-Event`, to compare with those of the feed and the stream. " +
      "After a read, the point of the log that the response reflects.",
    "b3JkZXJlZA",
  ),
  ContentDisposition: text(
    "The name under which to save the file.",
    `attachment; filename="plan.pdf"; filename*=UTF-8''plan.pdf`,
  ),
  ContentRange: text("The range of the response, and the size of the file.", "bytes 0-1023/51200"),
  AcceptRanges: text("Ranges of the file can be requested.", "bytes", { enum: ["bytes"] }),
  WwwAuthenticate: text(
    "The scheme of credentials, and whether the one that was sent is invalid.",
    'Bearer error="invalid_token"',
  ),
  Location: text(
    "The URL that the browser is redirected to.",
    "https://app.example.com/?connected=github",
  ),
};

/** The component of each response header. */
const components = {
  "X-Request-Id": "RequestId",
  ETag: "ETag",
  RateLimit: "RateLimit",
  "RateLimit-Policy": "RateLimitPolicy",
  "Retry-After": "RetryAfter",
  "Idempotency-Replayed": "Replayed",
  "Last-Event": "LastEvent",
  "Feed-Cursor": "FeedCursor",
  "Content-Disposition": "ContentDisposition",
  "Content-Range": "ContentRange",
  "Accept-Ranges": "AcceptRanges",
  "WWW-Authenticate": "WwwAuthenticate",
  Location: "Location",
} satisfies Record<string, keyof typeof headers>;

/** References to response headers, by name. */
export const headersNamed = (...names: (keyof typeof components)[]) =>
  Object.fromEntries(names.map((name) => [name, ref("headers", components[name])]));

/** The headers of every response. */
export const commonHeaders = headersNamed("X-Request-Id", "RateLimit", "RateLimit-Policy");

// No examples: reference pages would send them.
const requestHeader = (name: string, description: string, keywords: object = {}) => ({
  in: "header",
  name,
  required: false,
  description,
  schema: { type: "string", ...keywords },
});

const webhookHeader = (name: string, description: string, example: string) => ({
  ...requestHeader(name, description),
  required: true,
  example,
});

const ifMatchName = (kind: string) =>
  `IfMatch${kind.replace(/^./, (letter) => letter.toUpperCase())}`;

const ifMatch = (kind: string) => {
  const name = kind.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
  return requestHeader(
    "If-Match",
    `The \`ETag\` of the last read of the ${name}, such as \`"3"\`. ` +
      `Returns 412 if the ${name} has changed since.`,
  );
};

const kindOf = (on: Rule["on"]) => (on === "self" ? "user" : on);

const kinds = new Set(Object.values<Rule>(policy).map(({ on }) => kindOf(on)));

const requestHeaders = {
  IdempotencyKey: requestHeader(
    "Idempotency-Key",
    "Makes a retry safe: for 24 hours, a repeated call with the same key returns the stored " +
      "response. Use a UUID. 1 to 255 printable ASCII characters.",
    { minLength: 1, maxLength: 255, pattern: "^[!-~](?:[ -~]*[!-~])?$" },
  ),
  Range: requestHeader("Range", "The requested range, such as `bytes=0-1023`."),
  LastEventId: {
    ...requestHeader(
      "Last-Event-ID",
      "The id of the last received event. The stream resumes after it. It overrides `cursor`.",
      { minLength: 1, maxLength: 500 },
    ),
    // Generators join header and query: the field `lastEventId` has the same name in code.
    "x-fern-parameter-name": "lastEventIdHeader",
  },
  IfNoneMatch: requestHeader(
    "If-None-Match",
    'The `ETag` of the last read, such as `"3-9hVbQ2"`. Returns 304 without a body if it still matches.',
  ),
  WebhookId: webhookHeader(
    "webhook-id",
    "The id of the event, the same for all attempts.",
    "e2v8e6n4t1s7",
  ),
  WebhookTimestamp: webhookHeader(
    "webhook-timestamp",
    "The time of this attempt, in Unix seconds.",
    "1769853600",
  ),
  WebhookSignature: webhookHeader(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. " +
      "During secret rotation two signatures, separated by a space.",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
};

/** The request headers, also those of webhooks, by component name. */
export const parameters = {
  ...requestHeaders,
  ...Object.fromEntries([...kinds].map((kind) => [ifMatchName(kind), ifMatch(kind)])),
};

/** A reference to a request header. */
export const headerParameter = (name: keyof typeof requestHeaders) => ref("parameters", name);

/** A reference to the `If-Match` of an operation: for a create, it is about the parent. */
export const ifMatchParameter = (operation: Operation) =>
  ref("parameters", ifMatchName(kindOf(ruleOf(operation).on)));
