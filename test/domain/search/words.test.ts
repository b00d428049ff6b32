import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { fold } from "../../../src/domain/search/fold.ts";
import { vectorOf, wordsOfName } from "../../../src/domain/search/words.ts";

const wordsOf = (text: string) =>
  [...vectorOf(null, text).matchAll(/'([^']+)'/g)].map(([, word]) => word);

test("a text of ASCII has the same words as beside another script", () => {
  const texts = [
    "1e2x 9e1ab2 10e5 5e x1e2 0012 1a2b3c4d",
    "https://docs.example.com:80/a_b?c=d&e=1.5#f user@example.com /usr/lib/x.so ~/x",
    'a-b -1.5e3 +2 v1.2.3 don\'t \\ <b>&amp;</b> "q" C++ C# 50% $5 @me ==',
    `${"long".repeat(400)} tab\tline\nend`,
  ];
  for (const text of texts) {
    const beside = wordsOf(`${text} ω`);
    expect(beside.pop()).toBe("ω");
    expect(wordsOf(text)).toEqual(beside);
    expect(beside.length).toBeGreaterThan(1);
  }
});

test("words have places, and those of names a weight; runs without spaces are divided", () => {
  expect(vectorOf("Fix the Login", "the C++ 登录页")).toBe(
    "'fix':1A 'the':2A,4 'login':3A 'c':5 '+':6 '++':6 '登':7 '登录':7 '录':7 '录页':7 '页':7",
  );
  expect([...wordsOfName("Fix 12 C++ 登录 v2 fix")]).toEqual(["fix", "c", "v2"]);
});

// Stored words stay when Node.js brings a newer Unicode. A change of the rule changes the digest:
// then an upgrade must make all words again (`npm run search:rebuild`).
test("every character has the words that are stored for it", () => {
  const digest = createHash("sha256");
  const planes = [...Array(0x200).keys(), 0xe00, 0xe01];
  for (const block of planes.filter((nth) => nth < 0xd8 || nth >= 0xe0)) {
    const codes = Array.from({ length: 0x100 }, (_, nth) => block * 0x100 + nth);
    const text = codes.map((code) => String.fromCodePoint(code)).join(" ");
    digest.update(`${fold(text)} ${vectorOf(null, text)}\n`);
  }
  expect(digest.digest("hex")).toBe(
    "a01c26df82b0643a401b252d7dd68ce194504b9040b43b5698a189643b37eadc",
  );
});
