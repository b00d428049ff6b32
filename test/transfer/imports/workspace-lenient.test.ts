import { expect, test } from "vitest";
import { minimalDocument } from "../exports/minimal.ts";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { bring } from "./sending.ts";

const app = useApp({ isolated: true });
const text = JSON.stringify(minimalDocument());
const viewed = `// 20240102\n// ${"x".repeat(1_000)}\n\n${text}`;
const broken = Buffer.from(text.replace('"title":"', '"title":"^'));
broken[broken.indexOf("^")] = 0xe9;
const bigEndian = Buffer.from(`\u{feff}${text}`, "utf16le").swap16();

test.each([
  ["a byte order mark", `\u{feff}${text}`, []],
  ["lines of comments before it", `\u{feff}${viewed}`, [/lines before its JSON/]],
  ["a byte that is not UTF-8", broken, [/not valid UTF-8/]],
  ["UTF-16", Buffer.from(`\u{feff}${text}`, "utf16le"), []],
  ["UTF-16 in the other order", bigEndian, []],
])("an exported workspace with %s is imported, and its report says so", async (_, bytes, said) => {
  const user = await makeUser(app());
  const done = await bring(app(), user, bytes);
  expect(done).toMatchObject({ status: "completed", error: null });
  const reasons = done.report.items.filter(({ kind }: any) => kind === "export");
  expect(reasons).toHaveLength(said.length);
  for (const [nth, pattern] of said.entries()) {
    expect(reasons[nth]).toMatchObject({ severity: "partial", isPartlyThere: true });
    expect(reasons[nth].reason).toMatch(pattern);
  }
});
