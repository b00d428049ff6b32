// npm run lint:words: fails on the words that docs/glossary.md replaced, in identifiers and in prose.
// It also fails on sentences of the docs with more than 30 words.
// With paths as arguments it looks at those only.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Words that are retired everywhere, also as a part of an identifier (`wholeThing` holds `thing`). */
const words = new Set(
  `anybody beginning bell bells courier couriers crew crowded deafen deafened doom doomed
  equip equipment equipped equips everybody flying follower followers
  hang hanging hangs hung heard house hungry keep keeping keeps kept lane lanes newcomer newcomers nobodys
  nobody none parcel parcels place placed places placing redeem redeemed room rooms seat seats sight
  somebody somewhere standing standings tell telling tellings tells thing things told
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

/** The most words of a sentence in the docs; a colon and a semicolon end one. */
const longest = 30;
const docs =
  /^(?:docs|examples|src\/client)\/.*\.md$|^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/;

/** The sentences of a page that are too long, without its tables and code. */
function longSentences(page) {
  const prose = page
    .replace(/^```[^]*?^```/gm, "")
    .replace(/^(?: {4}|\||#).*$/gm, "")
    .replace(/`[^`]*`/g, "x");
  return prose
    .split(/\n\s*\n|^(?=- |\d+\. )/m)
    .flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.:;?!]) /))
    .filter((sentence) => sentence.split(" ").filter((word) => /\w/.test(word)).length > longest);
}

let count = 0;
let tooLong = 0;
for (const file of files) {
  const page = readFileSync(file, "utf8");
  for (const sentence of docs.test(file) ? longSentences(page) : []) {
    tooLong++;
    process.stdout.write(`${file}: more than ${longest} words: ${sentence.slice(0, 80)}…\n`);
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
