const ref = (place: string, name: string) => ({ $ref: `#/components/${place}/${name}` });
const text = (description: string, example: string, keywords: object = {}) => ({
  description,
  schema: { type: "string", ...keywords },
  example,
});

/** The headers of answers, by the name under which the components hold them. */
export const headers = {
  RequestId: text("The request's id, as the log has it.", "q8w2e5r7t1y4"),
  ETag: text("The version of what was read or written.", '"3"'),
  RateLimit: text("What is left of the limit, and for how long.", '"calls";r=99;t=10'),
  RateLimitPolicy: text("How often the caller may call.", '"calls";q=100;w=10'),
  RetryAfter: text("After how many seconds to try again.", "10", { pattern: "^[0-9]+$" }),
  Replayed: text("The answer of an earlier call with this key.", "true", { enum: ["true"] }),
  ContentDisposition: text(
    "That the file is to be saved, and under which name.",
    `attachment; filename="plan.pdf"; filename*=UTF-8''plan.pdf`,
  ),
  ContentRange: text("Which part it is, of how many bytes.", "bytes 0-1023/51200"),
  Location: text("Where the browser goes on.", "https://app.example.com/?connected=github"),
};

/** The headers of every answer. */
export const everyHeader = {
  "X-Request-Id": ref("headers", "RequestId"),
  RateLimit: ref("headers", "RateLimit"),
  "RateLimit-Policy": ref("headers", "RateLimitPolicy"),
};

/** The version of what was answered. */
export const etagHeader = { ETag: ref("headers", "ETag") };

/** Tells an answer that is a stored one. */
export const replayedHeader = { "Idempotency-Replayed": ref("headers", "Replayed") };

/** Where a redirect leads. */
export const locationHeader = { Location: ref("headers", "Location") };

/** How a file is to be taken. */
export const fileHeaders = { "Content-Disposition": ref("headers", "ContentDisposition") };

/** Which part of a file it is. */
export const partHeaders = { "Content-Range": ref("headers", "ContentRange") };

/** When to try again. */
export const retryHeader = { "Retry-After": ref("headers", "RetryAfter") };

// Without examples: a page that fills in forms would send them.
const asked = (name: string, description: string, keywords: object = {}) => ({
  in: "header",
  name,
  required: false,
  description,
  schema: { type: "string", ...keywords },
});

const sent = (name: string, description: string, example: string) => ({
  ...asked(name, description),
  required: true,
  example,
});

/** The headers of requests, those that the service makes included, by the name under which the components hold them. */
export const parameters = {
  IdempotencyKey: asked(
    "Idempotency-Key",
    "Makes a retry safe: the same call with the same key gets the stored answer of the first, for 24 hours. A UUID is a good one.",
    { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  ),
  IfMatch: asked(
    "If-Match",
    'The `ETag` that was read, such as `"3"`; 412 when the thing has been changed since.',
  ),
  Range: asked("Range", "The one part of the file that is wanted, such as `bytes=0-1023`."),
  LastEventId: asked(
    "Last-Event-ID",
    "The id of the last event that was seen: the stream goes on after it. It counts for more than `cursor`.",
    { minLength: 1, maxLength: 500 },
  ),
  IfNoneMatch: asked(
    "If-None-Match",
    'The `ETag` that was read, such as `"3-9hVbQ2"`; 304 without a body while it is still the same.',
  ),
  WebhookId: sent("webhook-id", "The event's id: the same at every attempt.", "e2v8e6n4t1s7"),
  WebhookTimestamp: sent(
    "webhook-timestamp",
    "When this attempt was made, in seconds.",
    "1769853600",
  ),
  WebhookSignature: sent(
    "webhook-signature",
    "One or two, with a space between: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body.",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
};

/** A header that a request may have. */
export const headerParameter = (name: keyof typeof parameters) => ref("parameters", name);
