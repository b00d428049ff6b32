// npm run lint:words: fails on the words that docs/glossary.md replaced, in identifiers and in prose.
// It also fails on long sentences of the docs, of comments, and of the names of tests.
// With paths as arguments it looks at those only.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Words that are retired everywhere, also as a part of an identifier (`wholeThing` holds `thing`). */
const words = new Set(
  `anybody beginning bell bells courier couriers crew crowded deafen deafened doom doomed
  equip equipment equipped equips everybody flying follower followers
  hang hanging hangs hung heard house hungry keep keeping keeps kept lane lanes newcomer newcomers nobodys
  nobody none parcel parcels place placed places placing redeem redeemed room rooms seat seats sight
  somebody somewhere standing standings surroundings tell telling tellings tells thing things told
  wanted way ways welcome welcomed whoever whom whomever`.split(/\s+/),
);

/** Names that are retired as a whole. */
const names = new Set(
  `announced announcing askedFor beat carryOver derive enter face faces forget gives holding keyAgain
  keyFor keysAtEnd letGo locate locateAll located looks losses marks mayReach mayRead mayWrite onto
  patience permit permitted pieces putOn reach reachList reached relabel replaying restFace ring
  saysGone seeing sightOf singly spent takes tidyUp trpcFace turns whoIs wholeBoard wholeCard`.split(
    /\s+/,
  ),
);

/** Phrases that are retired in prose. */
const phrases =
  /\b(?:any more|as far as|no good|(?:is|are|was|were|stays?|still) good\b|good for|hangs? on|come to an end|stands? (?:in|for|there)|on its way|by itself has|lies in wait|at hand|whose turn|of its own accord)\b/gi;

/** Where a retired word is the field's own term, or a public name that cannot change. */
const allowed =
  /If-?None-?Match|if-none-match|\bforget: |keep-?alive|keepAlive\w*|keepStack|Keep a Changelog|ON CONFLICT|placeholders?|(["'`])none\1|'none'|=none\b|: none\b|\bnone: \{|--\w+=none|tells\.example|good first issue|(["`])nobody\2|\^nobody:|month none/gi;

const skipped =
  /generated|^test\/e2e\/document\.ts$|^test\/contract\/openapi\.json$|^scripts\/check-words\.mjs$|^prisma\/migrations\/|package-lock\.json|^LICENSE$|^CODE_OF_CONDUCT\.md$/;
const read =
  /^(?:src|test|docs|scripts|reference|examples)\/.*\.(?:tsx?|js|mjs|md|json|html)$|^[A-Z]+\.md$|^prisma\/schema\.prisma$|^(?:\.env\.example|Dockerfile|compose\.yaml)$/;

const asked = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...asked], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => read.test(file) && !skipped.test(file));

/** The identifiers of a line of code, without its comments and strings. */
function codeOf(file, line) {
  if (!/\.(?:tsx?|mjs)$/.test(file) || /^\s*(?:\*|\/\*|\/\/)/.test(line)) return [];
  const code = line.replace(/"(?:[^"\\]|\\.)*"|`[^`$]*`|\s\/\/.*$/g, '""');
  return code.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
}

/** The most words of a sentence; a colon and a semicolon end one. */
const longest = { docs: 30, comments: 25, tests: 19 };
const docs =
  /^(?:docs|examples|src\/client)\/.*\.md$|^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/;

const wordsIn = (sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** The sentences of a page, without its tables and code. */
function sentencesOf(page) {
  const prose = page
    .replace(/^```[^]*?^```/gm, "")
    .replace(/^(?: {4}|\||#).*$/gm, "")
    .replace(/`[^`]*`/g, "x");
  return prose.split(/\n\s*\n|^(?=- |\d+\. )/m).flatMap(divide);
}

const divide = (text) => text.replace(/\s+/g, " ").split(/(?<=[.:;?!]) /);

/** The sentences of the comments of a source file. */
function commentsOf(code) {
  const blocks = [...code.matchAll(/\/\*\*?([^]*?)\*\//g)].map(([, text]) => text);
  const lines = [...code.matchAll(/(?:^ *\/\/ .*\n)+/gm)].map(([text]) => text);
  return [...blocks, ...lines].flatMap((text) => divide(text.replace(/^\s*(?:\*|\/\/) ?/gm, " ")));
}

/** The names of the tests of a source file. */
const testsIn = (code) =>
  [...code.matchAll(/(?:\b(?:test|describe)(?:\.\w+)*|\]\))\(\s*(["`])(.+?)\1,/g)].map(
    ([, , name]) => name,
  );

/** The sentences of a file that are too long. */
function longSentences(file, page) {
  const over = (most, sentences) => sentences.filter((sentence) => wordsIn(sentence) > most);
  if (docs.test(file)) return over(longest.docs, sentencesOf(page));
  if (!/^(?:src|test|scripts)\/.*\.(?:tsx?|mjs)$/.test(file)) return [];
  return [...over(longest.comments, commentsOf(page)), ...over(longest.tests, testsIn(page))];
}

let count = 0;
let tooLong = 0;
for (const file of files) {
  const page = readFileSync(file, "utf8");
  for (const sentence of longSentences(file, page)) {
    tooLong++;
    process.stdout.write(`${file}: ${wordsIn(sentence)} words: ${sentence.trim().slice(0, 80)}…\n`);
  }
  const lines = page.split("\n");
  for (const [index, line] of lines.entries()) {
    const text = line.replace(allowed, "");
    const found = new Set(text.match(phrases) ?? []);
    for (const identifier of text.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []) {
      for (const part of identifier.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)) {
        if (words.has(part.toLowerCase())) found.add(identifier);
      }
    }
    for (const identifier of codeOf(file, text)) {
      if (names.has(identifier)) found.add(identifier);
    }
    if (found.size === 0) continue;
    count += found.size;
    process.stdout.write(`${file}:${index + 1}: ${[...found].join(", ")}\n`);
  }
}
if (count > 0) {
  process.stdout.write(`${count} retired words. docs/glossary.md has the words to use.\n`);
  process.exitCode = 1;
}
if (tooLong > 0) process.exitCode = 1;
