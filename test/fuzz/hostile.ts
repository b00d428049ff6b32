import type { Random } from "./random.ts";

const long = (text: string, times: number) => text.repeat(times);
const nested = (depth: number, [open, close]: readonly [string, string]) =>
  open.repeat(depth) + close.repeat(depth);

/** Texts that are likely to break a parser, a pattern, a comparison or a database. */
const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00",
  "\u202eright to left",
  "\ufeff",
  "\u0000\u001f\u007f\u0085",
  "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦".repeat(40),
  "ﷺ".repeat(200),
  "İıſK",
  "../../etc/passwd",
  "..%2f..%2f",
  "%00",
  "%",
  "%zz",
  "*",
  "card.*",
  "' OR 1=1 --",
  '"; DROP TABLE cards; --',
  "$1",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "null",
  "undefined",
  "NaN",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "-0",
  "1e400",
  "0x10",
  "９９",
  "9223372036854775808",
  "2024-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00Z",
  "2024-01-01T00:00:00+99:99",
  "2024-01-01T24:00:00Z",
  "1969-12-31T23:59:59Z",
  "http://127.0.0.1/",
  "http://[::ffff:127.0.0.1]/",
  "https://service.invalid:0/",
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "a@b@c",
  `${"a".repeat(300)}@example.com`,
  long("@[", 20_000),
  long("a", 70_000),
  long("[x](", 10_000),
  long("*", 20_000),
  long("`", 20_000),
  long(" ", 50_000),
  long("\n", 50_000),
  long("🙂", 10_000),
];

const others: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  [],
  {},
  [[]],
  [null],
  { a: {} },
  { "a\0b": "a" },
  { "\ud800": "a" },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
  Array.from({ length: 2_000 }, () => "a"),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])),
];

/** A value that no schema expects. */
export const hostileValue = (random: Random): unknown =>
  random.chance(0.7) ? hostileText(random) : structuredClone(random.pick(others));

/** A text that a schema may or may not accept. */
export const hostileText = (random: Random): string =>
  random.chance(0.2) ? binary(random) : (random.pick(texts) ?? "");

const binary = (random: Random) =>
  Array.from({ length: random.below(60) }, () =>
    String.fromCharCode(random.below(random.chance(0.5) ? 128 : 65_536)),
  ).join("");

/** A body that is not the expected JSON object. */
export const hostileBody = (random: Random): string =>
  random.pick([
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "1e999",
    '{"a":1,"a":2}',
    "\ufeff{}",
    '{"title":"\\ud800"}',
    nested(5_000, ["[", "]"]),
    nested(5_000, ['{"a":', "}"]).replace('{"a":}', '{"a":1}'),
    nested(200_000, ["[", "]"]),
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}`,
    `{"title":"${"a".repeat(900_000)}"}`,
    `{"title":"${"a".repeat(1_200_000)}"}`,
  ]);

/** Headers with unusual values; HTTP itself forbids line breaks in them. */
export const hostileHeaders = (random: Random): Record<string, string> =>
  random.pick<Record<string, string>>([
    { "If-Match": '"1"' },
    { "If-Match": 'W/"1"' },
    { "If-Match": "*" },
    { "If-Match": "1,2,3" },
    { "If-Match": "x".repeat(4_000) },
    { "If-None-Match": "*" },
    { "If-None-Match": '"1", '.repeat(300) },
    { "Idempotency-Key": "fuzz" },
    { "Idempotency-Key": "x".repeat(300) },
    { "Idempotency-Key": `key-${random.below(20)}` },
    { "Content-Type": "text/plain" },
    { "Content-Type": "application/json; charset=utf-16" },
    { "Content-Type": "multipart/form-data; boundary=x" },
    { "Content-Encoding": "gzip" },
    { Accept: "application/xml" },
    { Range: "bytes=0-0,5-,-1" },
    { Range: "bytes=9999999999999999999-" },
    { "X-Request-Id": "%0d%0aSet-Cookie: a=b" },
    { "X-Forwarded-For": "999.1.1.1, ::1%eth0" },
    { "X-HTTP-Method-Override": "DELETE" },
    { "Last-Event-ID": "0" },
    { "Last-Event-ID": "x".repeat(500) },
    { Authorization: "Bearer " },
    { Authorization: "Basic OjpA" },
    { Authorization: `Bearer wbs_${random.below(1e9)}` },
    { Authorization: "Bearer a.b.c" },
    { "X-Admin-Key": "guess" },
  ]);
