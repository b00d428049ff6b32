import { expect, test } from "vitest";
import { unlink } from "../../../src/kernel/jobs/mail.ts";
import { growth } from "../../support/linear.ts";

/** What mail programs turn into a link: an address, a domain, a mail address, a UNC path. */
export const linkable = /\p{L}:\S|\/\/|\\\\|[.\u3002\uFF0E\uFF61]\p{L}[\p{L}\d-]/u;

test.each([
  "https://evil.example/login",
  "HTTP://EVIL.EXAMPLE",
  "www.evil.example",
  "evil.com",
  "evil.co.uk/path?x=1",
  "пример.рф",
  "evil。com",
  "evil．com",
  "evil｡com",
  "evil.xn--p1ai",
  "ann@evil.example",
  "mailto:ann@evil.example",
  "skype:ann?call",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "\\\\evil\\share",
  "//evil.example",
  "a.b.evil.com",
  "evil.com.",
])("%s becomes no link", (text) => {
  expect(unlink(text)).not.toMatch(linkable);
  expect(unlink(`before ${text} after`)).not.toMatch(linkable);
});

test.each(["Version 1.2.3 is out. Really!", "At 10:30, e.g. on page 4/5", "Note: the rest", "a…b"])(
  "%s stays unchanged",
  (text) => {
    expect(unlink(text)).toBe(text);
  },
);

test("strings in verbatim stay unchanged, and nothing beside them", () => {
  const verbatim = ["https://boards.example/a.bc", "v1.token"];
  const text = "evil.com https://boards.example/a.bc evil.com\nv1.token evil.com";
  expect(unlink(text, verbatim)).toBe(
    "evil. com https://boards.example/a.bc evil. com\nv1.token evil. com",
  );
  expect(unlink("evil.com", ["", "x"])).toBe("evil. com");
});

test.each(["a", ".", ":", "/"])("takes linear time for 1,000,000 characters %j", (part) => {
  // With quadratic time the ratio is 4,096.
  expect(growth(unlink, part, 1_000_000)).toBeLessThan(1_000);
});
